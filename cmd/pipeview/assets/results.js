// The answer: a comparison where there are two devices, and the report on one of them.
"use strict";

class Results {
  /**
   * @param {(rule: string, selector: string) => void} change is told of another λ or Λ of instructions
   * @param {(page: Page.Data) => void} drawn is told of a report that is of what the page asks for
   */
  constructor(change, drawn) {
    this.told = drawn;
    this.place = /** @type {HTMLDetailsElement} */ (document.getElementById("watch"));
    this.watch = new Watch(this.place, change);
    this.place.addEventListener("toggle", () => this.showWatch());
    this.head = /** @type {HTMLElement} */ (document.getElementById("results"));
    this.report = /** @type {HTMLElement} */ (document.getElementById("report"));
    this.shown = 0; // which device
    /** @type {View.Device[]} */
    this.devices = [];
    this.drawn = new AbortController();
    this.part = 0; // of the answer that is shown: 1 = the numbers, 2 = the reports, too
    this.complete = (/** @type {Page.Data} */ _) => {};
  }

  /** Dims what is shown: the page asks for something else. */
  outdate() {
    this.part = 0;
    for (const node of [this.head, this.report, this.place]) node.classList.add("outdated");
  }

  /** @param {View.Response} answer or the beginning of one */
  show(answer) {
    const ready = answer.devices.filter((d) => d.report);
    if (!ready.length) return;
    this.devices = ready;
    this.shown = Math.min(this.shown, ready.length - 1);
    if (this.part === 0) {
      clear(this.head);
      this.head.append(this.numbers());
      this.head.classList.remove("outdated");
      this.part = 1;
    }
    if (!ready.every((d) => d.page)) return;
    const failed = answer.diagnostics.some((d) => d.severity === "error");
    for (const { page } of ready) {
      if (failed && page && !page.findings) {
        Object.assign(page, { findings: [], nothing: "not simulated: see the error" });
      }
    }
    if (this.part === 1) this.draw();
    else this.complete(/** @type {Page.Data} */ (ready[this.shown].page));
    this.part = 2;
  }

  /** The numbers of each device, which come before the reports. */
  numbers() {
    const several = this.devices.length > 1;
    const first = /** @type {View.Report} */ (this.devices[0].report);
    const rows = this.devices.map((d, i) => {
      const r = /** @type {View.Report} */ (d.report);
      return el("tr", {},
        el("th", { scope: "row" }, several ? el("label", {}, this.choice(i), el("span", {}, d.title)) : d.title),
        el("td.number", { "data-seconds": r.seconds }, seconds(r.seconds)),
        several && el("td.number", {}, i === 0 ? "" : significant(first.seconds / r.seconds) + "x"),
        el("td.number", { "data-cycles": r.cycles }, grouped(r.cycles)),
        el("td.number.warps", {}, r.occupancy_warps + " of " + r.max_warps),
        el("td.bound", {}, r.bottleneck.text.replace(/:.*/, "")));
    });
    const head = (/** @type {string} */ kind, /** @type {string} */ text) => el("th" + kind, { scope: "col" }, text);
    return el("table.numbers-of", { "aria-label": "Predictions" },
      el("thead", {}, el("tr", {}, head("", "Device"), head(".number", "Time"), several && head(".number", "Speed-up"),
        head(".number", "Cycles"), head(".number.warps", "Warps"), head(".bound", "Limited by"))),
      el("tbody", {}, ...rows));
  }

  /** @param {number} index of the device whose report is shown */
  choice(index) {
    return el("input", {
      type: "radio", name: "device", checked: index === this.shown, onchange: () => {
        this.shown = index;
        this.draw();
      },
    });
  }

  /** Draws the report; what stands in the window stays there. */
  draw() {
    const page = this.devices[this.shown].page, window = this.report.parentElement;
    if (!page || !window) return;
    const at = window.scrollTop;
    this.drawn.abort();
    this.drawn = new AbortController();
    this.complete = showReport(this.report, page, this.drawn.signal);
    const source = this.report.querySelector("#source");
    if (source) source.before(this.place);
    this.showWatch();
    window.scrollTop = at;
    for (const node of [this.report, this.place]) node.classList.remove("outdated");
    this.told(page);
  }

  /** Shows the compute unit where it is asked for: its issues are unpacked then only. */
  showWatch() {
    const device = this.devices[this.shown], page = device && device.page;
    this.place.hidden = !page || !page.timeline;
    if (page && this.place.open) this.watch.show(page);
    else this.watch.pause();
  }
}

/**
 * A time with its unit.
 * @param {number} s
 */
function seconds(s) {
  if (s >= 1) return significant(s) + " s";
  if (s >= 1e-3) return significant(s * 1e3) + " ms";
  return s >= 1e-6 ? significant(s * 1e6) + " µs" : significant(s * 1e9) + " ns";
}
