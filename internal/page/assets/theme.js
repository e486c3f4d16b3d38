// Light and dark colours, and those of paper.
"use strict";

const isDark = window.matchMedia("(prefers-color-scheme: dark)");

/** The width of paper between its margins, in CSS pixels: A4. */
const paperWidth = 718;

/**
 * Has what stands on canvases drawn again, in the colours of now.
 * @param {number} [width] CSS pixels; else that of the window
 */
function repaint(width) {
  for (const frame of document.querySelectorAll(".timeline")) {
    frame.dispatchEvent(new CustomEvent("repaint", { detail: width }));
  }
}

/**
 * A button that goes from the system's colours to light and dark ones.
 * @returns {HTMLElement}
 */
function themeButton() {
  const { dataset } = document.documentElement;
  const now = () => dataset.theme || (isDark.matches ? "dark" : "light");
  const button = el("button.theme", {
    type: "button", onclick: () => {
      dataset.theme = now() === "dark" ? "light" : "dark";
      say();
      repaint();
    },
  });
  const say = () => {
    button.textContent = now() === "dark" ? "light" : "dark";
    button.setAttribute("aria-label", `Use ${button.textContent} colours`);
  };
  isDark.addEventListener("change", say);
  say();
  return button;
}

/** Paper has light colours and its own width. */
function followPrinting() {
  const { dataset } = document.documentElement;
  /** @type {string | undefined} */
  let chosen;
  window.addEventListener("beforeprint", () => {
    chosen = dataset.theme;
    dataset.theme = "light";
    repaint(paperWidth);
  });
  window.addEventListener("afterprint", () => {
    if (chosen) dataset.theme = chosen;
    else delete dataset.theme;
    repaint();
  });
}

isDark.addEventListener("change", () => repaint());
followPrinting();
