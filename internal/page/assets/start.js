// Starts the page of a file, which holds its data.
"use strict";

(() => {
  const root = document.getElementById("report"), text = document.getElementById("data");
  if (!root || !text) return;
  /** @type {Page.Data} */
  const data = JSON.parse(text.textContent || "");
  showReport(root, data);
  const links = [...root.querySelectorAll("section.part")].map((s) =>
    el("a", { href: "#" + s.id }, (s.querySelector("h2") || s).textContent));
  root.prepend(el("nav", { "aria-label": "Parts of the page" }, ...links, themeButton()));
})();
