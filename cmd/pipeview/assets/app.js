// Wires the page: what is changed leads to a request, and its answer to what is shown.
"use strict";

/** How long the page waits for the next key before it asks, in milliseconds. */
const debounce = 150;

async function start() {
  const status = /** @type {HTMLElement} */ (document.getElementById("status"));
  const input = /** @type {HTMLElement} */ (document.getElementById("input"));
  const say = (/** @type {string} */ text) => (status.textContent = visible(text));
  const state = new PageState();
  const results = new Results((rule, selector) => {
    state.rules = [...state.rules.split(/\s*;\s*/).filter((r) => r && !r.startsWith(selector + ":")), rule].join("; ");
    controls.show();
    changed();
  }, (page) => editor.heat(page.lines));
  const editor = new Editor(edited);
  const sources = new Sources(catalogue, choose, say);
  const controls = new Controls(catalogue, state, changed);
  const loops = new Loops(state, (line, column) => editor.goTo(line, column), changed);
  let timer = 0, turn = 0, shownLink = "";
  input.append(sources.node, editor.node, loops.node, controls.node);

  /** The built-in kernel that is shown unchanged. */
  const builtin = () => catalogue.kernels.find((k) => k.name === state.builtin);

  /** Takes what the editor holds. A built-in kernel that is changed becomes a text of its own. */
  function edited() {
    const k = builtin();
    if (k) {
      Object.assign(state, { builtin: "", file: k.file, kernel: k.kernel,
        defines: [...k.defines, ...words(state.defines)].join(" ") });
      controls.show();
    }
    state.text = editor.text;
    sources.show(state);
    changed();
  }

  /** @param {{builtin?: View.Kernel, file?: string, text?: string}} source */
  function choose(source) {
    const { devices, issue, scheduler, limit } = state;
    Object.assign(state, new PageState(), { devices, issue, scheduler, limit });
    if (source.builtin) state.builtin = source.builtin.name;
    else Object.assign(state, { file: source.file, text: source.text });
    showState();
    changed();
  }

  function showState() {
    const k = builtin();
    editor.text = k ? k.text : state.text;
    if (k) editor.reveal(k.text.slice(0, k.text.search(`\\b${k.kernel}\\(`)).split("\n").length);
    sources.show(state);
    controls.show();
  }

  /** Ends what runs: it is of what was there before. */
  function changed() {
    outdate();
    clearTimeout(timer);
    timer = window.setTimeout(ask, debounce);
  }

  /** Dims what is shown, until an answer to what is now asked comes. */
  function outdate() {
    engine.cancel();
    results.outdate();
    editor.heat([]);
    document.body.setAttribute("aria-busy", "true");
    return ++turn;
  }

  async function ask() {
    const own = outdate(), link = await linkOf(state);
    if (own !== turn) return;
    history.replaceState(null, "", shownLink = link);
    say("predicting");
    const began = performance.now();
    let time = "";
    try {
      await engine.evaluate(state.request(sources.files), (answer) => {
        if (own !== turn) return;
        time = time || "in " + ((performance.now() - began) / 1000).toFixed(2) + " s";
        show(answer, time);
      });
    } catch (why) {
      if (own === turn) say(why instanceof Error ? why.message : String(why));
    }
    if (own === turn) document.body.removeAttribute("aria-busy");
  }

  /**
   * @param {View.Response} answer
   * @param {string} time that the numbers took
   */
  function show(answer, time) {
    if (answer.error) {
      say(answer.error);
      return;
    }
    const k = builtin();
    editor.show(answer.diagnostics, k ? k.file : state.file);
    controls.describe(answer);
    if (answer.devices.some((d) => d.kernel)) loops.show(answer.devices.filter((d) => d.kernel));
    results.show(answer);
    const errors = answer.diagnostics.filter((d) => d.severity === "error").length;
    say(!errors ? "predicted " + time
      : count(errors, "error") + (results.devices.length ? "; the prediction is of the source before" : ""));
  }

  async function openLink() {
    if (location.hash === shownLink && shownLink) return;
    const linked = await stateOf(location.hash);
    if (linked) {
      Object.assign(state, linked);
    } else if (catalogue.sources.length) {
      Object.assign(state, new PageState(), { file: catalogue.sources[0].file, text: catalogue.sources[0].text });
    } else {
      Object.assign(state, new PageState(), { builtin: "mmul" });
    }
    showState();
    await ask();
  }
  window.addEventListener("hashchange", () => openLink().catch((why) => say(why.message)));
  await openLink();
}

start().catch((why) => {
  const status = document.getElementById("status");
  if (status) status.textContent = why.message;
});
