// Predictions by a worker in the browser, which runs the code of the commands as WebAssembly. Nothing is fetched: pages
// of files (file://) may load scripts, and start workers from what they hold.
"use strict";

/** @type {(code: {worker: string, code: string}) => void} what pipeview.js calls with the code */
let pipeviewCode;

/** @type {View.Engine} */
const engine = (() => {
  /** @type {Promise<Worker> | null} */
  let worker = null;
  /** @type {{id: number, show: (answer: View.Response) => void, end: (whole: boolean) => void} | null} */
  let running = null;
  let newest = 0;

  /** @returns {Promise<{worker: string, code: string}>} */
  function load() {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      pipeviewCode = resolve;
      script.src = "pipeview.js";
      script.onerror = () => reject(new Error("pipeview.js cannot be loaded"));
      document.head.append(script);
    });
  }

  /** @returns {Promise<Worker>} */
  async function start() {
    const { worker: text, code } = await load();
    const made = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
    made.postMessage({ code });
    return new Promise((resolve, reject) => {
      made.onmessage = (e) => (e.data === "ready" ? resolve(made) : take(e.data));
      made.onerror = (e) => {
        worker = null;
        reject(new Error(e.message || "the worker cannot be started"));
        if (!running) return;
        running.show({ diagnostics: [], kernels: [], devices: [], error: "the predictions have failed: " + e.message });
        running.end(true);
      };
    });
  }

  /** @param {{id: number, answer: string, last: boolean}} part of an answer */
  function take({ id, answer, last }) {
    if (!running || running.id !== id) return;
    const { show, end } = running;
    if (last) running = null;
    show(JSON.parse(answer));
    if (last) end(true);
  }

  return {
    cancel() {
      newest++;
      if (!running) return;
      running.end(false);
      running = null;
      if (worker) worker.then((w) => w.postMessage({}));
    },
    async evaluate(request, show) {
      this.cancel();
      const id = newest;
      worker = worker || start();
      const ready = await worker;
      if (id !== newest) return false;
      return new Promise((end) => {
        running = { id, show, end };
        ready.postMessage({ id, request: JSON.stringify(request) });
      });
    },
  };
})();
