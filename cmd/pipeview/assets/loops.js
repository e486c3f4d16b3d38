// The loops of the kernel, each with a control for its unroll factor.
"use strict";

class Loops {
  /**
   * @param {PageState} state
   * @param {(line: number, column: number) => void} goTo shows a place of the source
   * @param {() => void} changed
   */
  constructor(state, goTo, changed) {
    this.state = state;
    this.goTo = goTo;
    this.changed = changed;
    this.node = el("section.loops", { "aria-labelledby": "loops-title" });
    this.shown = "";
  }

  /** @param {View.Device[]} devices */
  show(devices) {
    const loops = devices.length ? devices[0].loops : [];
    const form = JSON.stringify(devices.map((d) => [d.title, d.loops]));
    if (form === this.shown) return;
    this.shown = form;
    const active = document.activeElement;
    const focused = active && this.node.contains(active) ? active.id : "";
    clear(this.node);
    this.node.append(el("p.title", { id: "loops-title" }, "Loops"));
    if (!loops.length) this.node.append(el("p.hint", {}, "The kernel has no loops."));
    this.node.append(el("ul", {}, ...loops.map((l, i) => this.row(l, i, devices))));
    const again = focused && document.getElementById(focused);
    if (again) again.focus();
  }

  /**
   * @param {View.Loop} loop
   * @param {number} index
   * @param {View.Device[]} devices
   */
  row(loop, index, devices) {
    const steps = stepsOf(loop, this.state.factors.get(index));
    const id = "unroll-" + index, chosen = this.state.factors.get(index) || 0;
    const output = el("output", { for: id }, stepText(chosen));
    const slider = /** @type {HTMLInputElement} */ (el("input", {
      id, type: "range", min: 0, max: steps.length - 1, step: 1, value: steps.indexOf(chosen),
      "aria-valuetext": stepText(chosen),
      oninput: () => {
        const factor = steps[Number(slider.value)];
        if (factor) this.state.factors.set(index, factor);
        else this.state.factors.delete(index);
        output.textContent = stepText(factor);
        slider.setAttribute("aria-valuetext", stepText(factor));
        this.changed();
      },
    }));
    return el("li", {},
      el("div.head", {},
        el("button.line", { type: "button", onclick: () => this.goTo(loop.line, loop.column), disabled: !!loop.file },
          (loop.file ? loop.file + ":" : "line ") + loop.line), " ",
        el("code", {}, loop.kind + " (" + (loop.condition || "") + ")"), " ",
        el("code.pragma", {}, loop.pragma || "no pragma")),
      el("div.factor", {}, el("label", { for: id }, "Unroll by"), slider, output),
      ...devices.filter((d) => d.loops[index]).map((d) =>
        el("p.decision", {}, devices.length > 1 ? d.title + ": " : "", decision(d.loops[index]))));
  }
}

/**
 * The factors of a control: 0 = as written, powers of two, and all iterations.
 * @param {View.Loop} loop
 * @param {number | undefined} chosen
 */
function stepsOf(loop, chosen) {
  const most = loop.trips === null ? 64 : Math.min(loop.trips, 1024);
  const steps = [0];
  for (let f = 1; f <= most; f *= 2) steps.push(f);
  if (loop.trips !== null && loop.trips <= 1024 && loop.trips > 1) steps.push(loop.trips);
  if (loop.factor) steps.push(loop.factor);
  if (chosen) steps.push(chosen);
  return [...new Set(steps)].sort((a, b) => a - b);
}

/** @param {number} factor */
function stepText(factor) {
  return factor === 0 ? "as written" : factor === 1 ? "1 (rolled)" : String(factor);
}

/**
 * What was decided about a loop.
 * @param {View.Loop} loop
 */
function decision(loop) {
  if (!loop.factor) return loop.origin || "";
  const trips = loop.trips === null ? "iterations vary" : count(loop.trips, "iteration");
  let text = loop.fully_unrolled ? "fully unrolled" : loop.factor === 1 ? "rolled" : "unrolled by " + loop.factor;
  if (loop.remainder > 0) text += ", remainder " + loop.remainder;
  return trips + ", " + text + (loop.reason ? ": " + loop.reason : "");
}
