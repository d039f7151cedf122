import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { meaningOf } from "../src/state/meanings.js";

test("all attributes that the kernel model documents are explained, and those of declared states", () => {
  const paths: string[] = [];
  for (const page of ["kernel-model", "format/states"]) {
    const rows = readFileSync(`../docs/${page}.md`, "utf8").split("## Attributes")[1].split(/\n#/)[0].split("\n").filter((row) => row.startsWith("| `"));
    for (const row of rows) {
      const [first, ...more] = [...row.split(" | ")[0].matchAll(/`([^`]+)`/g)].map((m) => m[1]);
      const beside = first.slice(0, first.lastIndexOf("/") + 1);
      // Behind the first stands what is beside it, or below it where it is a number; or another path.
      for (const name of more) paths.push(/^[A-Z]\w*s\//.test(name) ? name : /^(Disks|CPUs|Threads|Processes)\/<[^/]*>$/.test(first) ? `${first}/${name}` : beside + name);
      paths.push(first);
    }
  }
  const real = paths.map((path) => path.replace("<tid>", "204").replace("0_<cpu>", "0_1").replace("<pid>", "204").replace("<cpu>", "1").replace("<line>", "24").replace("<vec>", "3").replace("<major>:<minor>", "8:0").replace("<n>", "2"));
  assert(real.length > 40, String(real.length));
  assert.deepEqual(real.filter((path) => !meaningOf(path)), []);
});

test("who woke a thread last is said to be before, and what is no such attribute is not explained", () => {
  assert(meaningOf("Threads/205/Waker").startsWith("the thread that woke it last, before this time"));
  for (const path of ["", "Threads", "Threads/205/Other", "Threads/205/toString", "toString/x", "Else/205/Waker", "CPUs/0/IRQs"]) assert.equal(meaningOf(path), "", path);
  assert.equal(meaningOf("IRQs/x\\/y/Name"), "what its handler is called");
});
