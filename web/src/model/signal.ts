/** A list of functions to call when something changed. */
export class Signal {
  private readonly listeners: (() => void)[] = [];

  on(listener: () => void): void {
    this.listeners.push(listener);
  }

  emit(): void {
    for (const f of this.listeners) f();
  }
}
