// A canvas that fills its parent at the resolution of the screen. It is opaque, which takes the browser a tenth less for each frame;
// without a picture it would be black, so what is new of it is given the ground that all pictures begin with.

/** Where words stand, CSS pixels. */
export interface Spot {
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
}

const surfaces: Surface[] = []; // they live as long as the page
let resolution = devicePixelRatio;

/** Before all else of a frame: where the screen is another one, all surfaces take its resolution. */
export function keepSharp(): void {
  if (resolution === devicePixelRatio) return;
  resolution = devicePixelRatio;
  for (const s of surfaces) s.fit();
}

export class Surface {
  readonly canvas: HTMLCanvasElement;
  g: CanvasRenderingContext2D;
  width = 0; // CSS pixels
  height = 0;
  ratio = 1;
  /** Where words stand in what is drawn, for what lies above it. Whoever draws empties it first. */
  spots: Spot[] = [];

  constructor(parent: HTMLElement, label: string, onResize: () => void) {
    this.canvas = document.createElement("canvas");
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", label);
    parent.append(this.canvas);
    this.g = this.canvas.getContext("2d", { alpha: false })!;
    const seen = new ResizeObserver(() => {
      if (this.fit()) onResize();
    });
    seen.observe(parent);
    surfaces.push(this);
    // On another screen a size in CSS pixels may stay while that in pixels of the screen does not, which is told where this is known.
    try {
      seen.observe(this.canvas, { box: "device-pixel-content-box" });
    } catch {
      // Then the next frame is the first sharp one: see keepSharp.
    }
  }

  /** Takes the size of the parent; says whether it changed. The picture stays until the next one is drawn. */
  fit(): boolean {
    const parent = this.canvas.parentElement!;
    const [width, height, ratio] = [parent.clientWidth, parent.clientHeight, devicePixelRatio || 1];
    if (width === this.width && height === this.height && ratio === this.ratio) return false;
    const picture = this.width > 0 && this.height > 0 ? this.copy() : null;
    this.width = width;
    this.height = height;
    this.ratio = ratio;
    // A parent may end between two pixels, where the picture would be stretched to and blurred.
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.canvas.width = Math.max(1, Math.round(width * ratio));
    this.canvas.height = Math.max(1, Math.round(height * ratio));
    this.g.fillStyle = getComputedStyle(parent).getPropertyValue("--panel");
    this.g.fillRect(0, 0, this.canvas.width, this.canvas.height);
    if (picture) this.g.drawImage(picture, 0, 0);
    return true;
  }

  /** What is drawn now, in device pixels. */
  copy(): HTMLCanvasElement {
    const copy = document.createElement("canvas");
    copy.width = this.canvas.width;
    copy.height = this.canvas.height;
    copy.getContext("2d")!.drawImage(this.canvas, 0, 0);
    return copy;
  }

  /** What draw draws here goes into something else than the canvas. */
  into(g: CanvasRenderingContext2D, draw: () => void): void {
    const [own, spots] = [this.g, this.spots];
    [this.g, this.spots] = [g, []];
    try {
      draw();
    } finally {
      [this.g, this.spots] = [own, spots];
    }
  }

  /** Clears to a colour and sets coordinates to CSS pixels. */
  begin(background: string): CanvasRenderingContext2D {
    const g = this.g;
    g.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    g.globalAlpha = 1;
    g.setLineDash([]);
    g.fillStyle = background;
    g.fillRect(0, 0, this.width, this.height);
    return g;
  }
}
