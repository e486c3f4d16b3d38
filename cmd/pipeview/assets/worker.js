// The worker of engine_worker.js.
"use strict";

/** @type {any} */
const scope = self;
importScripts("wasm_exec.js");

scope.onmessage = async (/** @type {MessageEvent} */ e) => {
  if (e.data.code) {
    const go = new scope.Go();
    scope.pipeviewReady = () => scope.postMessage("ready");
    go.run(await WebAssembly.instantiate(e.data.code, go.importObject));
    return;
  }
  scope.pipeviewEvaluate(e.data.request, (/** @type {string} */ answer, /** @type {boolean} */ last) =>
    scope.postMessage({ answer, last }));
};
