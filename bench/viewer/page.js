// Runs before the page's own scripts: keeps what was asked and answered on the websocket, and
// what each frame says of itself.
(() => {
  const bench = { frames: [], ticks: [], asked: [], bytes: 0, press: null, presses: [], begun: performance.now() };
  window.bench = bench;
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) {
    bench.asked.push([performance.now() - bench.begun, text]);
    return send.call(this, text);
  };
  addEventListener("drawn", (e) => {
    const d = e.detail;
    const now = performance.now();
    bench.frames.push([now, d.rows, d.blank, d.coarse]);
    const p = bench.press;
    if (p && p.sharp === null && d.window !== p.from && d.blank === 0 && d.coarse === 0) p.sharp = now - p.at;
  }, true);
  for (const kind of ["keydown", "pointerup"])
    addEventListener(kind, (e) => {
      if (bench.timing) bench.press = { at: e.timeStamp, sharp: null, from: bench.last ?? "" };
    }, true);
  addEventListener("drawn", (e) => (bench.last = e.detail.window), true);
  const tick = (t) => {
    bench.ticks.push(t);
    requestAnimationFrame(tick);
  };
  bench.tick = () => requestAnimationFrame(tick);
})();
