// Whether somebody has done something since an address was come to, by a link, a reload or the browser's history: until then rows stand
// where it says, whatever comes.

import type { View } from "../model/view.js";

export class Untouched {
  yet = true;
  /** The address says where the rows begin. */
  returning = false;

  /** onCome is called when the browser's history has led to another address. */
  constructor(private readonly view: View, onCome: () => void) {
    this.come();
    view.returned.on(() => {
      this.come();
      onCome();
    });
  }

  private come(): void {
    [this.returning, this.yet] = [this.view.top !== null, true];
    for (const deed of ["wheel", "pointerdown", "keydown"]) addEventListener(deed, () => (this.returning = this.yet = false), { once: true, capture: true });
  }
}
