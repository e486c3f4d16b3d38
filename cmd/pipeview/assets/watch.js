// Watch a compute unit run: the controls that move through the cycles of the scene.
"use strict";

/** How many cycles pass in a second of play. */
const speeds = [1, 2, 5, 10, 20, 50, 200, 1000, 5000];

/** Moves through the cycles of a run. */
class Watch {
  /**
   * @param {HTMLElement} into
   * @param {(rule: string, selector: string) => void} [change] is told of another λ or Λ, as a rule of pipesim --set
   */
  constructor(into, change) {
    this.change = change;
    this.cycle = 0;
    this.playing = 0; // the frame that is asked for
    this.shown = 0; // time of the last frame
    /** @type {Page.Data | null} */
    this.data = null;
    /** @type {Issues | null} */
    this.issues = null;
    const button = (/** @type {string} */ text, /** @type {string} */ label, /** @type {() => void} */ act) =>
      el("button", { type: "button", "aria-label": label, title: label, onclick: act }, text);
    this.play = button("▶ play", "Play", () => this.toggle());
    this.speed = /** @type {HTMLSelectElement} */ (el("select", { id: "speed", "aria-label": "Speed" },
      ...speeds.map((s) => el("option", { value: s, selected: s === 20 }, grouped(s) + " cycles/s"))));
    this.slider = /** @type {HTMLInputElement} */ (el("input", {
      type: "range", id: "cycle", min: 0, step: "any", value: 0, oninput: () => this.goTo(Number(this.slider.value)),
    }));
    this.warp = /** @type {HTMLSelectElement} */ (el("select", { id: "warp", onchange: () => this.goTo(this.cycle) }));
    this.clock = el("output", { for: "cycle" });
    this.said = el("p.said", { role: "status" });
    this.groups = el("p.groups");
    this.scene = new Scene((place) => {
      this.warp.value = String(place);
      this.goTo(this.cycle);
    });
    this.line = el("div.its-line");
    this.parameters = el("details.parameters");
    this.note = el("p.about");
    this.main = el("div.watch", { onkeydown: (/** @type {KeyboardEvent} */ e) => this.key(e) },
      el("div.toolbar", { role: "group", "aria-label": "Cycles" },
        button("|◀", "To the first cycle", () => this.goTo(0)),
        button("◀ issue", "To the issue before", () => this.byIssue(-1)),
        button("◀", "One cycle back", () => this.byCycle(-1)),
        this.play,
        button("▶", "One cycle on", () => this.byCycle(1)),
        button("issue ▶", "To the next issue", () => this.byIssue(1)),
        el("label", { for: "warp" }, "follow"), this.warp,
        button("next ▶", "To what the warp that is followed does next", () => this.byWarp()),
        this.speed),
      el("div.scrub", {}, el("label", { for: "cycle" }, "Cycle"), this.slider, this.clock),
      this.scene.legend, el("div.unit", {}, this.scene.node), this.said, this.line, this.groups,
      change && this.parameters, this.note);
    into.append(this.main);
    new ResizeObserver(() => {
      if (!this.issues || Math.abs(this.scene.width - this.main.clientWidth) < 2) return;
      this.scene.layout();
      this.goTo(this.cycle);
    }).observe(this.main);
  }

  /**
   * Shows a run, at the cycle at which the last one stood.
   * @param {Page.Data} data
   */
  show(data) {
    this.data = data;
    delete this.line.dataset.line;
    this.issues = data.timeline ? new Issues(data.timeline) : null;
    this.main.hidden = !this.issues;
    if (!this.issues) return;
    const { issues } = this, t = issues.timeline;
    this.slider.max = String(issues.end);
    const chosen = this.warp.value;
    clear(this.warp);
    for (let place = 0; place < issues.places; place++) {
      this.warp.append(el("option", { value: place }, "warp " + place));
    }
    this.warp.value = Number(chosen) < issues.places ? chosen || "0" : "0";
    this.note.textContent = t.whole ? "" : `The first ${grouped(issues.length)} issues are recorded; the run goes on.`;
    this.showParameters(data);
    const used = [...issues.pipelines.keys()].filter(
      (i) => issues.pipelines[i].length && t.pipelines[i].title !== "no pipeline");
    this.scene.show(issues, used, timelineColours(t));
    this.goTo(this.cycle);
  }

  /**
   * The λ and Λ of the instructions, each to be replaced.
   * @param {Page.Data} data
   */
  showParameters(data) {
    const { change } = this;
    if (!change || this.parameters.contains(document.activeElement)) return;
    const open = this.parameters.hasAttribute("open");
    clear(this.parameters);
    this.parameters.append(el("summary", {}, "λ and Λ of the instructions"));
    const seen = new Set(), rows = [];
    for (const x of data.instructions) {
      const selector = x.line ? `${x.op}@${x.line}` : x.op;
      if (seen.has(selector)) continue;
      seen.add(selector);
      const changed = () => change(`${selector}:cpi=${cpi.value},latency=${latency.value}`, selector);
      const field = (/** @type {string} */ name, /** @type {string} */ value) => /** @type {HTMLInputElement} */ (
        el("input", { type: "number", min: 0, step: "any", value, "aria-label": `${name} of ${selector}`,
          onchange: changed }));
      const cpi = field("λ", x.cpi), latency = field("Λ", x.latency);
      rows.push(el("tr", {}, el("th", { scope: "row" }, el("code", {}, x.op), x.line ? " line " + x.line : ""),
        el("td", {}, cpi), el("td", {}, latency)));
    }
    this.parameters.append(tableOf("Parameters", ["instruction", "λ, cycles", "Λ, cycles"], el("tbody", {}, ...rows)));
    this.parameters.toggleAttribute("open", open);
  }

  /** @param {number} cycle */
  goTo(cycle) {
    const { issues } = this;
    if (!issues) return;
    this.cycle = clamp(cycle, 0, issues.end);
    this.slider.value = String(this.cycle);
    this.slider.setAttribute("aria-valuetext", "cycle " + cycles(this.cycle));
    this.clock.textContent = `${cycles(this.cycle)} of ${cycles(issues.end)}`;
    this.paint(new Moment(issues, this.cycle));
  }

  /** @param {Moment} m */
  paint(m) {
    const chosen = Number(this.warp.value), { issues } = m, span = m.lives[chosen] ? m.warp(chosen) : null;
    this.scene.paint(m, chosen);
    this.said.textContent = visible(`Warp ${chosen} `
      + issues.describe(chosen, m.cycle).replace(/^(warp \d+ of group \d+): /, "($1) "));
    const issue = !span ? -1 : span.state === State.executing || span.cause < 0 ? span.issue : span.cause;
    this.showLine(issue < 0 ? 0 : issues.classOf(issue).line);
    const waiting = m.barriers().map(
      (b) => `group ${b.group}: ${b.arrived} of ${b.warps} warps at the barrier${lineText(b.line)}`);
    const finished = m.finished ? [count(m.finished, "group") + " finished"] : [];
    this.groups.textContent = [groupText(m.resident), ...finished, ...waiting].join(" · ");
  }

  /** @param {number} line of the source that the followed warp executes or waits for; 0: none */
  showLine(line) {
    if (this.line.dataset.line === String(line) || !this.data) return;
    this.line.dataset.line = String(line);
    clear(this.line);
    if (this.data.source.join("")) this.line.append(line && quote(this.data, line) || el("pre.quote", {}, " "));
  }

  /** @param {number} by */
  byCycle(by) {
    this.pause();
    this.goTo(by > 0 ? Math.floor(this.cycle) + by : Math.ceil(this.cycle) + by);
  }

  /** @param {number} way */
  byIssue(way) {
    const { issues } = this;
    if (!issues) return;
    this.pause();
    const at = firstNotBefore(issues.issued, way > 0 ? this.cycle + 1e-6 : this.cycle - 1e-6);
    const i = way > 0 ? at : at - 1;
    if (i >= 0 && i < issues.length) this.goTo(issues.issued[i]);
  }

  /** To the next change of the chosen warp's state. */
  byWarp() {
    const { issues } = this;
    if (!issues) return;
    this.pause();
    const next = issues.warps[Number(this.warp.value)].find((s) => s.from > this.cycle + 1e-6);
    if (next) this.goTo(next.from);
  }

  toggle() {
    if (this.playing) return this.pause();
    if (this.issues && this.cycle >= this.issues.end) this.goTo(0);
    this.play.textContent = "❚❚ pause";
    this.play.setAttribute("aria-label", "Pause");
    this.shown = performance.now();
    const frame = (/** @type {number} */ time) => {
      if (!this.issues || this.cycle >= this.issues.end) return this.pause();
      const passed = Math.max(0, time - this.shown) / 1000;
      this.shown = time;
      this.goTo(this.cycle + passed * Number(this.speed.value));
      this.playing = requestAnimationFrame(frame);
    };
    this.playing = requestAnimationFrame(frame);
  }

  pause() {
    cancelAnimationFrame(this.playing);
    this.playing = 0;
    this.play.textContent = "▶ play";
    this.play.setAttribute("aria-label", "Play");
  }

  /** @param {KeyboardEvent} e */
  key(e) {
    const target = /** @type {HTMLElement} */ (e.target);
    if (target.matches("input, select, textarea")) return;
    switch (e.key) {
      case "ArrowRight": e.shiftKey ? this.byIssue(1) : this.byCycle(1); break;
      case "ArrowLeft": e.shiftKey ? this.byIssue(-1) : this.byCycle(-1); break;
      case "Home": this.goTo(0); break;
      case "End": if (this.issues) this.goTo(this.issues.end); break;
      case "w": this.byWarp(); break;
      default: return;
    }
    e.preventDefault();
  }
}

/**
 * @param {string} title
 * @param {string[]} heads those of numbers end in ">"
 * @param {HTMLElement} body
 */
function tableOf(title, heads, body) {
  const head = (/** @type {string} */ h) => el(h.endsWith(">") ? "th.number" : "th", { scope: "col" },
    h.replace(">", ""));
  return el("div.scroll", {},
    el("table", { "aria-label": title }, el("thead", {}, el("tr", {}, ...heads.map(head))), body));
}

/**
 * Numbers of groups: runs of them in short.
 * @param {number[]} groups in ascending order
 */
function groupText(groups) {
  if (!groups.length) return "no group is resident";
  const parts = [];
  for (let i = 0; i < groups.length;) {
    let j = i;
    while (j + 1 < groups.length && groups[j + 1] === groups[j] + 1) j++;
    parts.push(i === j ? String(groups[i]) : groups[i] + " to " + groups[j]);
    i = j + 1;
  }
  return `${count(groups.length, "group")} resident: ${parts.join(", ")}`;
}
