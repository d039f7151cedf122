import assert from "node:assert/strict";
import { test } from "node:test";
import { MANY, Strip } from "../src/draw/columns.js";
import type { PixelBuffer } from "../src/draw/states.js";
import type { Palette } from "../src/draw/palette.js";
import { STATES } from "../src/net/wire.js";
import { drawUse } from "../src/resources/draw.js";
import { IDLE } from "../src/resources/looks.js";

const buffer = { width: 1000, height: 20, words: new Uint32Array(20000), rect() {} } as unknown as PixelBuffer;
const palette = { word: () => 0, words: [] } as unknown as Palette;

// The use of 1000 pixels that are user mode to a part, idle for the rest.
function use(part: number): { least: number; most: number } {
  const strip = new Strip(1000);
  for (let x = 0; x < 1000; x++) {
    strip.state[x] = part === 0 ? IDLE : part === 1 ? 2 : MANY;
    strip.shares[x * STATES + 2] = part;
    strip.shares[x * STATES + IDLE] = 1 - part;
  }
  return drawUse(buffer, strip, 0, 20, 1, palette)!;
}

test("the use of a host is told between what pixels have and what they may leave out", () => {
  const { least, most } = use(0.3649);
  assert.equal(least < 0.3649 && most > 0.3653 + 0.002 && most - least < 0.011, true, `${least} to ${most}`);
  assert.deepEqual([use(0), use(1)], [{ least: 0, most: 0 }, { least: 1, most: 1 }]);
});
