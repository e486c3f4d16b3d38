// Predictions by a worker in the browser, which runs the code of the commands as WebAssembly.
"use strict";

/** @type {View.Engine} */
const engine = (() => {
  /** How long a prediction may take, and how long an outdated one may keep a newer one waiting, in milliseconds. */
  const longest = 120000, patience = 1500;
  /** @type {Promise<WebAssembly.Module> | null} */
  let code = null;
  /** @type {Promise<Worker> | null} */
  let worker = null;
  /** @type {{started: number, drop: () => void} | null} */
  let running = null;
  let newest = 0;

  async function load() {
    const file = await fetch("pipeview.bin");
    if (!file.ok || !file.body) throw new Error("pipeview.bin cannot be loaded");
    const plain = file.body.pipeThrough(new (/** @type {any} */ (window).DecompressionStream)("gzip"));
    return WebAssembly.compileStreaming(new Response(plain, { headers: { "Content-Type": "application/wasm" } }));
  }

  /** @returns {Promise<Worker>} */
  async function start() {
    code = code || load();
    const made = new Worker("worker.js");
    made.postMessage({ code: await code });
    return new Promise((resolve, reject) => {
      made.onmessage = () => resolve(made);
      made.onerror = (e) => reject(new Error(e.message || "the worker cannot be started"));
    });
  }

  function stop() {
    const stopped = worker;
    worker = null;
    if (stopped) stopped.then((w) => w.terminate(), () => {});
    if (running) running.drop();
  }

  /** @param {number} ms */
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  return {
    async evaluate(request, show) {
      const own = ++newest;
      while (running) { // it may end soon; starting a worker again takes time, too
        if (performance.now() - running.started > patience) stop();
        else await pause(20);
        if (own !== newest) return false;
      }
      worker = worker || start();
      /** @type {Worker} */
      let ready;
      try {
        ready = await worker;
      } catch (why) {
        worker = null;
        throw why;
      }
      if (own !== newest || running) return false;
      await new Promise((resolve) => {
        const limit = setTimeout(() => {
          stop();
          show(failure("not finished within " + longest / 1000 + " s"));
        }, longest);
        const end = () => {
          clearTimeout(limit);
          running = null;
          resolve(null);
        };
        running = { started: performance.now(), drop: end };
        ready.onmessage = (/** @type {MessageEvent} */ e) => {
          if (own === newest) show(JSON.parse(e.data.answer));
          if (e.data.last) end();
        };
        ready.onerror = () => {
          stop();
          show(failure("the worker has failed: reload the page"));
        };
        ready.postMessage({ request: JSON.stringify(request) });
      });
      return own === newest;
    },
  };

  /**
   * @param {string} error
   * @returns {View.Response}
   */
  function failure(error) {
    return { diagnostics: [], kernels: [], devices: [], error };
  }
})();
