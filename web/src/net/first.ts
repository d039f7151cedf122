// The first connection of a page to its set is opened by the script in the head: what the server tells at once comes while the script that the page
// works by is still on its way, or read. That script claims it, with what came.

const CLAIM = "synchroscope-claim";

/** A connection that is open, or being opened, and the frames that came over it, in their order. */
export interface First {
  readonly socket: WebSocket;
  readonly came: readonly ArrayBuffer[];
}

/** Where the websocket of a set is. */
export function addressOf(set: string): string {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/sets/${encodeURIComponent(set)}/live`;
}

/** Opens it, for whoever claims it before the page is loaded: where no script comes nobody does, and it is closed again. */
export function openFirst(set: string): void {
  const socket = new WebSocket(addressOf(set));
  socket.binaryType = "arraybuffer";
  const came: ArrayBuffer[] = [];
  const keep = (e: MessageEvent) => void came.push(e.data as ArrayBuffer);
  socket.addEventListener("message", keep);
  const end = () => {
    socket.removeEventListener("message", keep);
    removeEventListener(CLAIM, give);
    removeEventListener("load", left);
  };
  const give = (e: Event) => {
    end();
    (e as CustomEvent<(first: First) => void>).detail({ socket, came });
  };
  const left = () => {
    end();
    socket.close();
  };
  addEventListener(CLAIM, give);
  addEventListener("load", left);
}

/** The connection that was opened, once; null where there is none, or none any more. */
export function claimFirst(): First | null {
  let first: First | null = null;
  dispatchEvent(new CustomEvent(CLAIM, { detail: (it: First) => (first = it) }));
  return first && (first as First).socket.readyState <= WebSocket.OPEN ? first : null;
}
