// Predictions by the server that the page is from.
"use strict";

/** @type {View.Engine} */
const engine = (() => {
  const page = crypto.randomUUID();
  let running = new AbortController();

  /**
   * Shows each line of an answer as it comes.
   * @param {ReadableStream<Uint8Array>} body
   * @param {(answer: View.Response) => void} show
   */
  async function lines(body, show) {
    const reader = body.getReader(), decoder = new TextDecoder();
    for (let text = ""; ;) {
      const { done, value } = await reader.read();
      text += decoder.decode(value, { stream: !done });
      const parts = text.split("\n");
      text = parts.pop() || "";
      for (const line of parts) show(JSON.parse(line));
      if (done) return;
    }
  }

  return {
    cancel: () => running.abort(),
    async evaluate(request, show) {
      running.abort();
      const own = running = new AbortController();
      try {
        const answer = await fetch("evaluate", {
          method: "POST", signal: own.signal, body: JSON.stringify(request),
          headers: { "Content-Type": "application/json", "Pipeview-Page": page },
        });
        if (answer.status === 409 || !answer.body) return false;
        await lines(answer.body, show);
        return !own.signal.aborted;
      } catch (why) {
        if (own.signal.aborted) return false;
        throw new Error("the server does not answer: is pipeview still running?");
      }
    },
  };
})();
