import assert from "node:assert/strict";
import { test } from "node:test";
import { knownUntil, localKnownUntil } from "../src/model/known.js";
import type { View } from "../src/model/view.js";
import type { At } from "../src/net/json.js";
import { laneTerms } from "../src/resources/words.js";
import { stateTerms } from "../src/timeline/words.js";

test("what goes on where what is read ends has no end and no duration, and is framed as far as it is known", () => {
  const at = { status: "blocked", begin: "1000", end: null, local_begin: "900", local_end: null, known_until: "3000", local_known_until: "2900" } as At;
  const view = { origin: () => 0n } as View;
  for (const told of [stateTerms(at, view), laneTerms(at, { kind: 0 } as never, {} as never, view)]) {
    const terms = new Map(told);
    assert.equal(terms.get("End"), "not yet, as far as is read");
    assert.equal(terms.get("Duration"), undefined);
  }
  assert.equal(knownUntil(at), 3000n);
  assert.equal(localKnownUntil(at), 2900n);
  assert.equal(knownUntil({ ...at, end: "2000" }), 2000n);
  assert.equal(knownUntil(null), null);
  assert.equal(laneTerms({ status: null } as At, { kind: 0 } as never, {} as never, view).some(([term]) => term === "End"), false);
});
