import assert from "node:assert/strict";
import { test } from "node:test";
import { View } from "../src/model/view.js";
import { markAlone } from "../src/timeline/mark.js";

test("the mark is taken away last, when nothing else is chosen any more", () => {
  const alone = (query: string) => {
    const view = new View();
    view.load(query);
    return markAlone(view);
  };
  assert.equal(alone("?mark=2~100"), true);
  assert.equal(alone(""), false, "there is none");
  for (const chosen of ["row=2.205", "selection=5~9", "message=0~7~2~8", "lane=2.cpu0", "kept=2.205"]) assert.equal(alone(`?mark=2~100&${chosen}`), false, chosen);
});
