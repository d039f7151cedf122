// Which tab of this browser uploads a set. Two that sent the same would send much of it twice, and one of them would be
// told again and again that the server stands elsewhere. What the server holds is in order either way.

const PREFIX = "synchroscope.upload.";

/** Another tab uploads the set. */
export class Claimed extends Error {
  constructor() {
    super("It is being uploaded in another tab of this browser.");
  }
}

// Not there where the page came over a network without encryption.
const locks = (): LockManager | undefined => navigator.locks;

/** Makes the upload of a set this tab's own until what is returned is called, or the tab is closed. Throws Claimed. */
export function claim(id: string): Promise<() => void> {
  const manager = locks();
  if (!manager) return Promise.resolve(() => {});
  return new Promise((done, failed) => {
    void manager.request(PREFIX + id, { ifAvailable: true }, (lock) => {
      if (!lock) return failed(new Claimed());
      return new Promise<void>((release) => done(release));
    }).catch(failed);
  });
}

/** The sets that are being uploaded in this browser, by this tab or another. */
export async function claimed(): Promise<Set<string>> {
  const held = (await locks()?.query())?.held ?? [];
  return new Set(held.map((x) => x.name ?? "").filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length)));
}
