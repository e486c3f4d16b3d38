// The timeline: pipelines and warps over time, on a canvas.
"use strict";

/**
 * Draws a timeline into an element.
 * @param {HTMLElement} into
 * @param {Page.Timeline} timeline
 * @param {Hub} hub
 */
function drawTimeline(into, timeline, hub) {
  const drawing = new TimelineDrawing(into, new Issues(timeline), hub);
  drawing.show(0, drawing.issues.end);
  return drawing;
}

/** The least number of cycles that a timeline shows. */
const leastSpan = 8;

/** The timeline with what a reader does to it. */
class TimelineDrawing extends TimelinePainter {
  /**
   * @param {HTMLElement} into
   * @param {Issues} issues
   * @param {Hub} hub
   */
  constructor(into, issues, hub) {
    super(issues, hub);
    this.range = el("span.range");
    this.said = el("p.said", { "aria-live": "polite" }, "Point at a row to see what happens there, and why.");
    this.keys = el("p.keys", {},
      "Keys: ← → move the cursor, ↑ ↓ choose a row, + − zoom, Shift with ← → pans, 0 shows all, Enter pins the line.");
    const listeners = {
      keydown: (/** @type {KeyboardEvent} */ e) => this.key(e), blur: () => this.leave(), focus: () => this.enter(),
    };
    for (const [name, listener] of Object.entries(listeners)) {
      this.frame.addEventListener(name, /** @type {EventListener} */ (listener));
    }
    into.append(this.toolbar(), this.frame, this.said, this.legend(), this.keys);
    this.look = this.readLook();
    this.listen();
    hub.on(() => this.draw());
    this.frame.addEventListener("repaint", (e) => {
      this.look = this.readLook();
      this.width = 0;
      this.resize(/** @type {CustomEvent} */ (e).detail || this.frame.clientWidth);
    });
    new ResizeObserver(() => requestAnimationFrame(() => this.resize(this.frame.clientWidth))).observe(this.frame);
  }

  toolbar() {
    const button = (/** @type {string} */ text, /** @type {string} */ label, /** @type {() => void} */ act) =>
      el("button", { type: "button", "aria-label": label, title: label, onclick: act }, text);
    return el("div.toolbar", { role: "group", "aria-label": "Timeline view" },
      button("−", "Zoom out", () => this.zoom(2)), button("+", "Zoom in", () => this.zoom(0.5)),
      button("◀", "Earlier", () => this.pan(-0.5)), button("▶", "Later", () => this.pan(0.5)),
      button("all", "Show all cycles", () => this.show(0, this.issues.end)), this.range);
  }

  legend() {
    const t = this.issues.timeline;
    const list = el("ul.legend", { "aria-label": "Colours" });
    const seen = new Set();
    for (const i of this.pipelineRows) {
      const p = t.pipelines[i];
      if (seen.has(p.subsystem)) continue;
      seen.add(p.subsystem);
      const name = p.core < 0 ? p.title : p.title.replace(/ \d+$/, "");
      list.append(el("li", {}, subsystemButton(this.hub, p.subsystem, this.colours[p.subsystem], name)));
    }
    for (const [name, text] of [["waiting", "waiting for data"], ["queued", "ready, not issued"],
      ["barrier", "at a barrier"]]) {
      list.append(el("li", {}, el("span.key", {}, el("span.swatch.s-" + name, { "aria-hidden": "true" }), text)));
    }
    return list;
  }

  listen() {
    const frame = this.frame;
    /** @type {{x: number, from: number, moved: boolean} | null} */
    let drag = null;
    frame.addEventListener("pointerdown", (e) => {
      drag = { x: e.offsetX, from: this.from, moved: false };
      frame.setPointerCapture(e.pointerId);
    });
    frame.addEventListener("pointermove", (e) => {
      if (drag && Math.abs(e.offsetX - drag.x) > 3) {
        drag.moved = true;
        const span = this.to - this.from;
        const from = clamp(drag.from - (e.offsetX - drag.x) / this.plotWidth() * span, 0, this.issues.end - span);
        this.show(from, from + span);
      }
      this.point(e.offsetX, e.offsetY);
    });
    frame.addEventListener("pointerup", () => {
      if (drag && !drag.moved) this.pinCursor();
      drag = null;
    });
    frame.addEventListener("pointercancel", () => (drag = null));
    frame.addEventListener("pointerleave", () => this.leave());
    frame.addEventListener("dblclick", () => this.zoom(0.25));
    frame.addEventListener("wheel", (e) => {
      if (!e.ctrlKey && !e.metaKey && !e.shiftKey) return;
      e.preventDefault();
      if (e.shiftKey) this.pan((e.deltaX || e.deltaY) / 500);
      else this.zoom(Math.exp(e.deltaY / 200));
    }, { passive: false });
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  show(from, to) {
    const end = this.issues.end, span = clamp(to - from, Math.min(leastSpan, end), end);
    this.from = clamp(from, 0, end - span);
    this.to = this.from + span;
    const whole = (/** @type {number} */ cycle) => cycles(Math.round(cycle));
    this.range.textContent = `cycles ${whole(this.from)} to ${whole(this.to)} of ${whole(end)}`;
    this.draw();
  }

  /**
   * Zooms by a factor around the cursor, or the middle.
   * @param {number} factor
   */
  zoom(factor) {
    const span = this.to - this.from;
    const at = this.cursor >= this.from && this.cursor <= this.to ? this.cursor : (this.from + this.to) / 2;
    const next = clamp(span * factor, Math.min(leastSpan, this.issues.end), this.issues.end);
    const from = at - (at - this.from) * next / span;
    this.show(from, from + next);
  }

  /** @param {number} part of what is shown */
  pan(part) {
    const by = (this.to - this.from) * part;
    this.show(this.from + by, this.to + by);
  }

  /**
   * Moves the cursor to a point of the canvas.
   * @param {number} x
   * @param {number} y
   */
  point(x, y) {
    const gutter = this.gutter;
    this.cursor = clamp(this.from + (x - gutter) / this.plotWidth() * (this.to - this.from), this.from, this.to);
    this.row = this.rows.findIndex((r) => y >= r.y - 1 && y <= r.y + r.height);
    this.tell();
  }

  enter() {
    if (this.row >= 0 || !this.frame.matches(":focus-visible")) return;
    this.row = 0;
    this.cursor = this.from;
    this.tell();
  }

  leave() {
    this.row = -1;
    this.cursor = -1;
    this.hub.hover(null);
    this.draw();
  }

  /**
   * What the span under the cursor is about.
   * @returns {Focus | null}
   */
  focusHere() {
    const span = this.spanHere();
    if (!span) return null;
    const issue = span.cause >= 0 ? span.cause : span.issue;
    if (issue < 0) return null;
    const c = this.issues.classOf(issue);
    return { line: c.line || undefined, instruction: c.line ? undefined : c.instruction };
  }

  pinCursor() {
    const focus = this.focusHere();
    if (focus) this.hub.pin(focus);
  }

  /** Says what is under the cursor, and lets the others know. */
  tell() {
    this.said.textContent = visible(this.words());
    this.hub.hover(this.focusHere());
    this.draw();
  }

  words() {
    const row = this.rows[this.row];
    if (!row) return `cycle ${cycles(this.cursor)}`;
    if (row.pipeline < 0) return `cycle ${cycles(this.cursor)}, ${this.issues.describe(row.place, this.cursor)}`;
    const title = this.issues.timeline.pipelines[row.pipeline].title, span = this.spanHere();
    if (!span) return `cycle ${cycles(this.cursor)}, ${title}: idle`;
    const what = `${this.issues.name(span.issue)} of warp place ${this.issues.timeline.place[span.issue]}`;
    return `cycle ${cycles(this.cursor)}, ${title}: ${what}, for ${cycles(span.to - this.cursor)} cycles more`;
  }

  /** @param {KeyboardEvent} e */
  key(e) {
    const step = Math.max(1, (this.to - this.from) / this.plotWidth() * 4);
    const cursor = this.cursor < 0 ? this.from : this.cursor;
    switch (e.key) {
      case "ArrowLeft": case "ArrowRight": {
        const way = e.key === "ArrowLeft" ? -1 : 1;
        if (e.shiftKey) this.pan(way / 4);
        else this.move(cursor + way * step);
        break;
      }
      case "ArrowUp": this.row = Math.max(0, this.row - 1); this.move(cursor); break;
      case "ArrowDown": this.row = Math.min(this.rows.length - 1, this.row + 1); this.move(cursor); break;
      case "Home": this.move(0); break;
      case "End": this.move(this.issues.end); break;
      case "+": case "=": this.zoom(0.5); break;
      case "-": this.zoom(2); break;
      case "0": this.show(0, this.issues.end); break;
      case "Enter": case " ": this.pinCursor(); break;
      case "Escape": this.leave(); break;
      default: return;
    }
    e.preventDefault();
  }

  /**
   * Moves the cursor, and what is shown with it.
   * @param {number} cycle
   */
  move(cycle) {
    this.cursor = clamp(cycle, 0, this.issues.end);
    const span = this.to - this.from;
    if (this.cursor < this.from) this.show(this.cursor, this.cursor + span);
    if (this.cursor > this.to) this.show(this.cursor - span, this.cursor);
    this.tell();
  }
}
