// The veil over what is not known yet, as a running import has not read it or an answer is on its way: slanting lines.

/** Covers a rectangle of a canvas, device pixels. */
export function drawVeil(g: CanvasRenderingContext2D, x0: number, x1: number, y0: number, y1: number, ratio: number, color: string): void {
  if (x1 <= x0 || y1 <= y0) return;
  g.strokeStyle = color;
  g.lineWidth = ratio;
  g.save();
  g.beginPath();
  g.rect(x0, y0, x1 - x0, y1 - y0);
  g.clip();
  g.beginPath();
  for (let d = x0 - (y1 - y0); d < x1; d += 12 * ratio) {
    g.moveTo(d, y1);
    g.lineTo(d + (y1 - y0), y0);
  }
  g.stroke();
  g.restore();
}
