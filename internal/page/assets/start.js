// Starts the page of a file, which holds its data.
"use strict";

(() => {
  const root = document.getElementById("report"), text = document.getElementById("data");
  if (!root || !text) return;
  /** @type {Page.Data[]} */
  const runs = JSON.parse(text.textContent || "");
  const theme = themeButton();
  const chooser = /** @type {HTMLSelectElement} */ (el("select", {
    "aria-label": "Run", onchange: () => {
      show(Number(chooser.value));
      chooser.focus();
    },
  }, ...runs.map((run, i) => el("option", { value: i }, run.title))));
  let shown = new AbortController();
  /** @param {number} i */
  const show = (i) => {
    shown.abort();
    shown = new AbortController();
    document.title = visible(runs[i].title);
    showReport(root, runs[i], shown.signal);
    const links = [...root.querySelectorAll("section.part")].map((s) =>
      el("a", { href: "#" + s.id }, (s.querySelector("h2") || s).textContent));
    root.prepend(el("nav", { "aria-label": "Parts of the page" }, runs.length > 1 && chooser, ...links, theme));
  };
  show(0);
})();
