// The picture of a compute unit at one cycle: its warps, and the pipelines through which their instructions move.
"use strict";

/** What a warp does, in words, by State, and the class that has its look. */
const stateWords = ["no warp", "executes", "waits for data", "ready, not issued", "at a barrier", "last results"];
const stateLooks = ["absent", "executing", "waiting", "queued", "barrier", "waiting"];

/** Sizes in pixels: the pitch of warps and of pipelines, and the part of a pipeline that instructions enter. */
const cell = 25, pitch = 50, tube = 24, entry = 34;

/** From which width on warps and pipelines stand side by side. */
const sideBySide = 600;

/** How many cycles before its issue an instruction sets out, and after its end its result takes back to the warp. */
const flight = 1;

/** How many instructions are drawn at once. */
const mostChips = 600;

class Scene {
  /** @param {(place: number) => void} choose a warp */
  constructor(choose) {
    this.node = svg("svg.scene", { role: "img", "aria-label": "Warps and pipelines of a compute unit" });
    this.choose = choose;
    this.legend = el("ul.legend", { "aria-label": "Warps by state" });
    /** @type {SVGElement[]} */
    this.cells = [];
    /** @type {Map<number, {now: SVGElement, gate: SVGElement, y: number}>} by pipeline */
    this.tubes = new Map();
    /** @type {SVGElement[]} */
    this.chips = [];
    /** @type {HTMLElement[]} */
    this.counts = [];
    this.longest = 0; // cycles from an issue to its end
    this.width = 0;
  }

  /**
   * Lays the warps and the pipelines out.
   * @param {Issues} issues
   * @param {number[]} used pipelines
   * @param {number[]} colours by subsystem
   */
  show(issues, used, colours) {
    this.issues = issues;
    this.colours = colours;
    this.used = used;
    this.longest = 0;
    for (let i = 0; i < issues.length; i++) {
      if (issues.complete[i] < Infinity) this.longest = Math.max(this.longest, issues.complete[i] - issues.issued[i]);
    }
    clear(this.legend);
    this.counts = [1, 2, 3, 4].map(() => el("b", {}));
    this.legend.append(...this.counts.map((n, i) =>
      el("li.key", {}, el("span.swatch.s-" + stateLooks[i + 1], { "aria-hidden": "true" }), n, stateWords[i + 1])));
    this.layout();
  }

  layout() {
    const { issues, used, colours } = this;
    if (!issues || !used || !colours) return;
    this.width = Math.max(280, this.node.parentElement ? this.node.parentElement.clientWidth : 0);
    const wide = this.width >= sideBySide, columns = wide ? 8 : Math.floor(this.width / cell);
    const rows = Math.ceil(issues.places / columns);
    this.left = wide ? columns * cell + 44 : 12;
    const top = wide ? 0 : 22 + rows * cell + 14;
    const height = Math.max(22 + rows * cell, top + used.length * pitch);
    clear(this.node);
    this.chips = [];
    this.tubes.clear();
    for (const [name, value] of Object.entries({ width: this.width, height, viewBox: `0 0 ${this.width} ${height}` })) {
      this.node.setAttribute(name, String(value));
    }
    this.node.append(svg("text.small", { x: 0, y: 14 }, "warps"));
    this.cells = Array.from({ length: issues.places }, (_, place) => {
      const x = place % columns * cell, y = 22 + Math.floor(place / columns) * cell;
      const g = svg("g.warp", { transform: `translate(${x} ${y})`, onclick: () => this.choose(place) },
        svg("rect", { x: 1, y: 1, width: cell - 5, height: cell - 5, rx: 4 }),
        svg("text", { x: (cell - 3) / 2, y: 15, "text-anchor": "middle" }, place));
      this.node.append(g);
      return g;
    });
    used.forEach((p, row) => this.addTube(p, top + row * pitch));
  }

  /**
   * @param {number} pipeline
   * @param {number} y
   */
  addTube(pipeline, y) {
    const { issues, colours, left } = this;
    if (!issues || !colours || left === undefined) return;
    const p = issues.timeline.pipelines[pipeline], width = this.width - left;
    const now = svg("text.now", { x: this.width, y: y + 14, "text-anchor": "end" });
    const gate = svg("rect.gate", { x: left, y: y + 20, width: entry, height: tube, rx: 5 });
    this.node.append(svg("g.tube.p" + colours[p.subsystem], { "data-name": p.title },
      svg("text.name", { x: left, y: y + 14 }, p.title), now,
      svg("rect.pipe", { x: left, y: y + 20, width, height: tube, rx: 5 }), gate));
    this.tubes.set(pipeline, { now, gate, y: y + 20 + tube / 2 });
  }

  /**
   * @param {Moment} m
   * @param {number} chosen place
   */
  paint(m, chosen) {
    const { issues } = m, counts = [0, 0, 0, 0, 0, 0];
    this.cells.forEach((g, place) => {
      const span = m.lives[place] ? m.warp(place) : null, state = span ? span.state : State.absent;
      counts[state]++;
      const colour = span && state === State.executing && this.colours
        ? " p" + this.colours[issues.classOf(span.issue).subsystem] : "";
      setAttribute(g, "class", `warp s-${stateLooks[state]}${colour}${place === chosen ? " chosen" : ""}`);
    });
    counts[State.waiting] += counts[State.ending];
    this.counts.forEach((n, i) => (n.textContent = String(counts[i + 1])));
    for (const [pipeline, { now, gate }] of this.tubes) {
      const span = m.pipeline(pipeline), i = span ? span.issue : -1;
      const text = i < 0 ? "idle" : `${issues.name(i)}, warp ${issues.timeline.place[i]}`;
      if (now.textContent !== text) now.textContent = text;
      setAttribute(gate, "class", i < 0 ? "gate" : "gate busy");
    }
    this.paintChips(m, chosen);
  }

  /**
   * The instructions under way.
   * @param {Moment} m
   * @param {number} chosen
   */
  paintChips(m, chosen) {
    const { issues } = m, t = m.cycle;
    let shown = 0;
    const end = firstNotBefore(issues.issued, t + flight);
    for (let i = firstNotBefore(issues.issued, t - this.longest - flight); i < end && shown < mostChips; i++) {
      const at = this.place(issues, i, t);
      if (!at) continue;
      const chip = this.chips[shown] || this.addChip(), place = issues.timeline.place[i];
      shown++;
      setAttribute(chip, "transform", `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})`);
      const colour = this.colours ? " p" + this.colours[at.subsystem] : "";
      setAttribute(chip, "class", `chip${colour}${at.result ? " result" : ""}${place === chosen ? " chosen" : ""}`);
      const label = /** @type {Element} */ (chip.lastChild), text = at.result ? "" : String(place);
      if (label.textContent !== text) label.textContent = text;
    }
    this.chips.forEach((chip, k) => setAttribute(chip, "display", k < shown ? "inline" : "none"));
  }

  addChip() {
    const chip = svg("g.chip", {}, svg("rect", { x: -11, y: -9, width: 22, height: 18, rx: 5 }),
      svg("text", { y: 4, "text-anchor": "middle" }));
    this.node.append(chip);
    this.chips.push(chip);
    return chip;
  }

  /**
   * Where an instruction, or its result, is at a time: on its way from the warp, in a pipeline, whose entry it holds
   * for λ and whose end it reaches after Λ, or on its way back.
   * @param {Issues} issues
   * @param {number} i
   * @param {number} t
   */
  place(issues, i, t) {
    const c = issues.classOf(i), warp = issues.timeline.place[i], complete = issues.complete[i];
    const first = this.tubes.get(issues.pipelineOf(c.subsystem, warp));
    if (!first || t >= complete + flight) return null;
    const x = (this.left || 0) + entry / 2, far = this.width - 14;
    if (t < issues.turn[i]) {
      const part = clamp(1 - (issues.issued[i] - t) / flight, 0, 1), before = { x: x - entry, y: first.y };
      return { ...between(this.centre(warp), before, part), subsystem: c.subsystem, result: false };
    }
    const second = this.tubes.get(issues.pipelineOf(c.second, warp)), inSecond = second && t >= issues.second[i];
    const on = inSecond ? second : first, subsystem = inSecond ? c.second : c.subsystem;
    if (t >= complete) {
      if (!this.awaited(issues, i)) return null;
      const part = (t - complete) / flight;
      return { ...between({ x: far, y: on.y }, this.centre(warp), part), subsystem, result: true };
    }
    const leaves = inSecond ? issues.second[i] + c.secondHold / issues.timeline.unit : issues.passed[i];
    const reaches = second && !inSecond ? issues.second[i] : complete === Infinity ? leaves + this.longest : complete;
    const part = clamp((t - leaves) / Math.max(reaches - leaves, 1e-9), 0, 1);
    return { x: x + (far - x) * part, y: on.y, subsystem, result: false };
  }

  /**
   * Whether a warp waits for the result of an instruction.
   * @param {Issues} issues
   * @param {number} i
   */
  awaited(issues, i) {
    const span = issues.at(issues.warps[issues.timeline.place[i]], issues.complete[i] - 1e-6);
    return !!span && span.cause === i;
  }

  /** @param {number} place */
  centre(place) {
    const [, x, y] = (this.cells[place].getAttribute("transform") || "").match(/\(([\d.]+) ([\d.]+)\)/) || ["", 0, 0];
    return { x: Number(x) + cell / 2 - 1.5, y: Number(y) + cell / 2 - 1.5 };
  }
}

/**
 * @param {{x: number, y: number}} a
 * @param {{x: number, y: number}} b
 * @param {number} part of the way
 */
function between(a, b, part) {
  return { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part };
}

/**
 * Sets what differs.
 * @param {Element} node
 * @param {string} name
 * @param {string} value
 */
function setAttribute(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}
