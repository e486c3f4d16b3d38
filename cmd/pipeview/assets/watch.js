// Watch a compute unit run: its state at one cycle, and the controls that move through the cycles.
"use strict";

/** What a warp does, in words, by State. */
const stateWords = ["", "executes", "waits for data", "ready, not issued", "at a barrier", "last results"];

/** How many cycles pass in a second of play. */
const speeds = [1, 2, 5, 10, 50, 200, 1000, 5000];

/** The compute unit at a cycle of a run. */
class Moment {
  /**
   * @param {Issues} issues
   * @param {number} cycle
   */
  constructor(issues, cycle) {
    this.issues = issues;
    this.cycle = cycle;
    const unit = issues.timeline.unit;
    /** @type {(number[] | null)[]} the life that each place for a warp holds */
    this.lives = new Array(issues.places).fill(null);
    /** @type {Set<number>} */
    const started = new Set(), open = new Set();
    for (const life of issues.timeline.lives) {
      if (life[3] / unit > cycle) continue;
      started.add(life[1]);
      if (life[4] && life[4] / unit <= cycle) continue;
      open.add(life[1]);
      this.lives[life[0]] = life;
    }
    this.resident = [...open].sort((a, b) => a - b);
    this.finished = started.size - open.size;
  }

  /**
   * What the warp of a place does; null: there is none.
   * @param {number} place
   */
  warp(place) {
    return this.lives[place] && this.issues.at(this.issues.warps[place], this.cycle);
  }

  /** @param {number} pipeline */
  pipeline(pipeline) {
    return this.issues.at(this.issues.pipelines[pipeline], this.cycle);
  }

  /** The issues of this cycle. */
  now() {
    const list = [];
    const { issued } = this.issues;
    for (let i = firstNotBefore(issued, this.cycle); i < issued.length && issued[i] < this.cycle + 1; i++) list.push(i);
    return list;
  }

  /** The barriers at which warps wait: how many warps of each group have arrived. */
  barriers() {
    const { issues } = this;
    /** @type {Map<number, {line: number, arrived: number, warps: number}>} */
    const groups = new Map();
    this.lives.forEach((life, place) => {
      if (!life) return;
      const group = groups.get(life[1]) || { line: 0, arrived: 0, warps: 0 };
      groups.set(life[1], group);
      group.warps++;
      const span = this.warp(place);
      if (!span || span.state !== State.barrier) return;
      group.arrived++;
      group.line = issues.classOf(span.cause).line;
    });
    return [...groups].filter(([, g]) => g.arrived > 0).map(([group, g]) => ({ group, ...g }));
  }
}

/**
 * The first of ascending values that is not before one.
 * @param {Float64Array} values
 * @param {number} least
 */
function firstNotBefore(values, least) {
  let low = 0, high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Draws a Moment and moves through the cycles. */
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
    this.speed = /** @type {HTMLSelectElement} */ (el("select", { id: "speed" },
      ...speeds.map((s) => el("option", { value: s, selected: s === 10 }, count(s, "cycle") + " per second"))));
    this.slider = /** @type {HTMLInputElement} */ (el("input", {
      type: "range", id: "cycle", min: 0, step: "any", value: 0, oninput: () => this.goTo(Number(this.slider.value)),
    }));
    this.warp = /** @type {HTMLSelectElement} */ (el("select", { id: "warp" }));
    this.clock = el("output", { for: "cycle" });
    this.said = el("p.said", { role: "status" });
    this.groups = el("p.groups");
    /** @type {number[]} pipelines that are used */
    this.used = [];
    /** @type {number[]} */
    this.colours = [];
    this.pipelines = el("tbody");
    this.warps = el("tbody");
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
        button("warp ▶", "To what the chosen warp does next", () => this.byWarp()),
        el("label", { for: "warp" }, "of"), this.warp,
        el("label.quiet", { for: "speed" }, "Speed"), this.speed),
      el("div.scrub", {}, el("label", { for: "cycle" }, "Cycle"), this.slider, this.clock),
      this.said, this.groups,
      el("div.unit", {},
        tableOf("Pipelines", ["pipeline", "instruction", "warp>", "line>", "until>"], this.pipelines),
        tableOf("Warps", ["warp", "state", "what", "until>"], this.warps)),
      change && this.parameters, this.note);
    into.append(this.main);
  }

  /**
   * Shows a run, at the cycle at which the last one stood.
   * @param {Page.Data} data
   */
  show(data) {
    this.data = data;
    this.issues = data.timeline ? new Issues(data.timeline) : null;
    this.main.hidden = !this.issues;
    if (!this.issues) return;
    const { issues } = this, t = issues.timeline;
    this.slider.max = String(issues.end);
    this.colours = timelineColours(t);
    const chosen = this.warp.value;
    clear(this.warp);
    for (let place = 0; place < issues.places; place++) {
      this.warp.append(el("option", { value: place }, "place " + place));
    }
    this.warp.value = Number(chosen) < issues.places ? chosen || "0" : "0";
    this.note.textContent = t.whole ? "" : `The first ${grouped(issues.length)} issues are recorded; the run goes on.`;
    this.showParameters(data);
    this.makeRows(issues);
    this.goTo(this.cycle);
  }

  /** @param {Issues} issues */
  makeRows(issues) {
    clear(this.pipelines);
    clear(this.warps);
    this.used = issues.pipelines.map((_, i) => i).filter((i) => issues.pipelines[i].length);
    for (const i of this.used) {
      const p = issues.timeline.pipelines[i];
      this.pipelines.append(el("tr", {}, el("th", { scope: "row" }, this.swatch(p.subsystem), p.title),
        el("td.op"), el("td.number"), el("td.number"), el("td.number")));
    }
    for (let place = 0; place < issues.places; place++) {
      this.warps.append(el("tr", {}, el("th", { scope: "row" }), el("td", {}), el("td"), el("td.number")));
    }
  }

  /** @param {number} subsystem */
  swatch(subsystem) {
    return el("span.swatch.p" + this.colours[subsystem], { "aria-hidden": "true" });
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
    const { issues } = m, { used } = this;
    const now = m.now();
    const issued = now.slice(0, 3).map((i) => `warp ${issues.timeline.place[i]} issues ${issues.name(i)}`);
    if (now.length > 3) issued.push(`and ${now.length - 3} more`);
    this.said.textContent = visible(issued.join("; ") || "no warp issues an instruction");
    const waiting = m.barriers().map(
      (b) => `group ${b.group}: ${b.arrived} of ${b.warps} warps at the barrier${lineText(b.line)}`);
    const finished = m.finished ? [count(m.finished, "group") + " finished"] : [];
    this.groups.textContent = [groupText(m.resident), ...finished, ...waiting].join(" · ");
    used.forEach((p, row) => this.paintPipeline(rowOf(this.pipelines, row), m, p));
    for (let place = 0; place < issues.places; place++) this.paintWarp(rowOf(this.warps, place), m, place);
  }

  /**
   * @param {HTMLTableRowElement} row
   * @param {Moment} m
   * @param {number} pipeline
   */
  paintPipeline(row, m, pipeline) {
    const span = m.pipeline(pipeline), { issues } = m;
    row.classList.toggle("idle", !span);
    const c = span && issues.classOf(span.issue);
    if (!c || !span) return setCells(row, 1, ["idle", "", "", ""]);
    setCells(row, 1, [c.op, String(issues.timeline.place[span.issue]), c.line ? String(c.line) : "", cycles(span.to)]);
  }

  /**
   * @param {HTMLTableRowElement} row
   * @param {Moment} m
   * @param {number} place
   */
  paintWarp(row, m, place) {
    const life = m.lives[place], span = m.warp(place), { issues } = m;
    row.dataset.state = String(span ? span.state : State.absent);
    if (!life) return setCells(row, 0, [String(place), "empty", "", ""]);
    const name = `${place}: group ${life[1]}, warp ${life[2]}`;
    if (!span) return setCells(row, 0, [name, "", "", ""]);
    const until = Number.isFinite(span.to) ? cycles(span.to) : "";
    setCells(row, 0, [name, stateWords[span.state], this.what(issues, span, m.cycle), until]);
    const colour = span.state === State.executing ? `var(--p${this.colours[issues.classOf(span.issue).subsystem]})`
      : "";
    row.cells[1].style.setProperty("--colour", colour);
  }

  /**
   * What a warp executes or waits for.
   * @param {Issues} issues
   * @param {Span} span
   * @param {number} cycle
   */
  what(issues, span, cycle) {
    switch (span.state) {
      case State.executing: return issues.name(span.issue);
      case State.queued: return issues.name(span.issue) + ": " + issues.obstacle(span.issue, cycle);
    }
    return span.cause < 0 ? "" : "of " + issues.name(span.cause);
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
 * @param {HTMLElement} body of a table
 * @param {number} row
 */
function rowOf(body, row) {
  return /** @type {HTMLTableRowElement} */ (body.children[row]);
}

/**
 * @param {HTMLTableRowElement} row
 * @param {number} from
 * @param {string[]} texts
 */
function setCells(row, from, texts) {
  texts.forEach((text, i) => {
    const cell = row.cells[from + i], shown = visible(text);
    if (cell.textContent !== shown) cell.textContent = shown;
  });
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
