import assert from "node:assert/strict";
import { test } from "node:test";
import { groupWords } from "../src/model/known.js";
import { lackFor, lackOf } from "../src/model/lacks.js";
import { SetModel } from "../src/model/set.js";
import type { Clocks, HostClock, SetInfo } from "../src/net/json.js";

test("of groups of hosts that nothing relates to each other it is said who belongs to whom", () => {
  const s = new SetModel();
  const clock = (name: string, component: number, reference = false) => ({ name, id: name, component, reference, map: [], error: [] }) as unknown as HostClock;
  const host = { begin: "", end: "", local_begin: "1000", local_end: "2000", events: 1, lost_events: 0, state: "done", progress: 1, missing: [] };
  const info = { id: "x", name: "x", state: "ready", begin: "1000", end: "2000", events: 2, lost_events: 0, progress: 1, rate: 0, stage: "", anomalies: 0 };
  const hosts = ["client", "web", "hostA", "hostB", "alone"].map((name, index) => ({ ...host, index, name, id: name, component: 0, reference: name === "web", unsynchronized: false }));
  s.setInfo({ ...info, hosts } as unknown as SetInfo);
  s.setClocks({ reference: "web", version: 1, final: true, links: [], matching: null, hosts: [clock("client", 0), clock("web", 0, true), clock("hostA", 1, true), clock("hostB", 1), clock("alone", 2, true)] } as unknown as Clocks);
  assert.deepEqual(s.hosts.map((h) => h.apart), [undefined, undefined, "not related to web", "with hostA, not web", "not related to web"]);
  assert.equal(groupWords(s.hosts), "Nothing relates the clocks of 3 groups of hosts, so times of one cannot be compared with those of another: client and web; hostA and hostB; alone.");
  assert.equal(groupWords(s.hosts.slice(0, 4)), "Nothing relates the clocks of two groups of hosts, so times of one cannot be compared with those of the other: client and web; hostA and hostB.");
  assert.equal(groupWords(s.hosts.slice(0, 2)), "");
  s.setInfo({ ...s.info!, state: "importing" });
  assert.equal(groupWords(s.hosts), "", "what is read yet may relate them");
});

test("an empty view tells what is not recorded, and of which hosts where others recorded it", () => {
  const lacking = (name: string, ...events: string[]) => ({ name, missing: [{ view: "control flow", events: ["x"], command: "X" }, ...(events.length ? [{ view: "communication", events, command: `record ${events}` }] : [])] });
  const words = (...hosts: ReturnType<typeof lacking>[]) => lackOf("This shows messages.", hosts, lackFor(/communication/i));
  const both = ["net_dev_queue", "net_if_receive_skb"];
  assert.deepEqual(words(lacking("web"), lacking("loki", ...both)), ["This shows messages. The recording of loki lacks net_dev_queue, net_if_receive_skb; record them with: ", "record net_dev_queue,net_if_receive_skb"]);
  assert.deepEqual(words(lacking("a", ...both), lacking("b", ...both)), ["This shows messages. The recordings lack net_dev_queue, net_if_receive_skb; record them with: ", "record net_dev_queue,net_if_receive_skb"]);
  assert.deepEqual(words(lacking("a", both[0]), lacking("b", ...both), lacking("c", ...both)), ["This shows messages. The recordings of b and c lack net_dev_queue, net_if_receive_skb; record them with: ", "record net_dev_queue,net_if_receive_skb"]);
  assert.deepEqual(words(lacking("a", both[0]), lacking("b")), ["This shows messages. The recording of a lacks net_dev_queue; record it with: ", "record net_dev_queue"]);
  assert.equal(words(lacking("a"), { name: "b", missing: [] }), "");
});

test("requests may be known where a kernel recorded the network, of hosts that exchanged something", () => {
  const known = (...hosts: string[][]) => {
    const set = new SetModel();
    set.setInfo({ state: "importing", hosts: hosts.map((views, i) => ({ index: i, name: `h${i}`, state: "reading", missing: views.map((view) => ({ view, events: [], command: "" })) })) } as unknown as SetInfo);
    return set.requests;
  };
  assert.equal(known([], []), true);
  assert.equal(known(["kernel trace", "wake-ups"], ["wake-ups"]), true);
  assert.equal(known(["kernel trace"], ["communication"]), false);
  assert.equal(known([]), false, "of one host");
});
