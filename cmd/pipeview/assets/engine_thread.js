// The worker of engine_worker.js, behind wasm_exec.js of the Go command.
"use strict";

/** @type {any} */
const scope = self;

/** @param {string} code base64 of gzip */
async function run(code) {
  const bytes = Uint8Array.from(atob(code), (c) => c.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new scope.DecompressionStream("gzip"));
  const go = new scope.Go(), headers = { "Content-Type": "application/wasm" };
  const program = await WebAssembly.instantiateStreaming(new Response(plain, { headers }), go.importObject);
  scope.pipeviewReady = () => scope.postMessage("ready");
  await go.run(program.instance);
  throw new Error("the predictions have ended");
}

scope.onmessage = (/** @type {MessageEvent} */ e) => {
  const { code, id, request } = e.data;
  if (code) run(code).catch((why) => setTimeout(() => { throw why; }));
  else if (!request) scope.pipeviewCancel();
  else {
    scope.pipeviewEvaluate(request, (/** @type {string} */ answer, /** @type {boolean} */ last) =>
      scope.postMessage({ id, answer, last }));
  }
};
