// One frame draws all that changed: whoever changes something calls schedule, and
// each view draws at most once between two frames of the screen.

export class Painter {
  private scheduled = false;
  private readonly draws: (() => void)[] = [];
  /** Called after each frame: what was received before it is on screen now. */
  onDrawn: () => void = () => {};

  add(draw: () => void): void {
    this.draws.push(draw);
  }

  schedule = (): void => {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      for (const draw of this.draws) draw();
      this.onDrawn();
    });
  };
}
