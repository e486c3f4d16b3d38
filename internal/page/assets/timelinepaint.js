// What a timeline looks like: its rows and what is drawn in them.
"use strict";

/**
 * Colours and patterns as the style has them now.
 * @typedef {{pipelines: string[], ground: string, lane: string, ink: string, dim: string, line: string, accent: string,
 *   waiting: string, queued: CanvasPattern | string, barrier: CanvasPattern | string, font: string}} Look
 */

/** The state of a timeline's drawing, and the drawing itself. */
class TimelinePainter {
  /**
   * @param {Issues} issues
   * @param {Hub} hub
   */
  constructor(issues, hub) {
    this.issues = issues;
    this.hub = hub;
    this.from = 0;
    this.to = issues.end;
    this.cursor = -1; // cycle; -1 = none
    this.row = -1; // index of rows
    const t = issues.timeline;
    const used = new Set(t.classes.flatMap((c) => [c.subsystem, c.second]));
    this.colours = colourIndices(Math.max(...t.pipelines.map((p) => p.subsystem)) + 1, (s) => used.has(s));
    this.pipelineRows = t.pipelines.map((p, i) => i).filter((i) => issues.pipelines[i].length > 0);
    this.perGroup = Math.max(...t.lives.map((l) => l[2])) + 1;
    /** @type {{pipeline: number, place: number, y: number, height: number}[]} */
    this.rows = [];
    /** @type {number} */
    this.width = 0;
    this.height = 0;
    this.gutter = 0; // for the names of the rows
    this.waiting = false; // for the next frame
    this.canvas = /** @type {HTMLCanvasElement} */ (el("canvas", { "aria-hidden": "true" }));
    /** @type {HTMLElement} */
    this.frame = el("div.timeline", { tabindex: 0, role: "application", "aria-label": this.label(),
      "aria-roledescription": "timeline" }, this.canvas);
    this.look = this.readLook();
  }

  label() {
    const t = this.issues.timeline;
    return `Timeline of ${count(this.pipelineRows.length, "pipeline")} and ${count(this.issues.places, "warp")}, `
      + `cycles 0 to ${cycles(this.issues.end)}${t.whole ? "" : ", the beginning of the run"}`;
  }

  /** @returns {Look} */
  readLook() {
    const get = (/** @type {string} */ name) => styleOf(this.frame, name);
    const pipelines = [];
    for (let i = 0; i < pipelineColours; i++) pipelines.push(get("--p" + i));
    return {
      pipelines, ground: get("--ground"), lane: get("--lane"), ink: get("--ink"), dim: get("--dim"),
      line: get("--line"), accent: get("--accent"),
      waiting: get("--waiting"), queued: hatch(get("--queued"), get("--lane")),
      barrier: dots(get("--queued"), get("--lane")),
      font: getComputedStyle(this.frame).fontFamily,
    };
  }

  /**
   * Takes a width, and the height that the rows need.
   * @param {number} width
   */
  resize(width) {
    if (!width || width === this.width) return;
    this.width = width;
    this.gutter = width < 560 ? 64 : 104;
    this.lay();
    const scale = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(this.height * scale);
    this.canvas.style.height = this.height + "px";
    this.paint();
  }

  /** Places the rows: the axis, pipelines, warps. */
  lay() {
    const rows = [];
    let y = axisHeight;
    const tall = this.pipelineRows.length > 12 ? 11 : 16;
    for (const pipeline of this.pipelineRows) {
      rows.push({ pipeline, place: -1, y, height: tall - 2 });
      y += tall;
    }
    y += 10;
    const high = clamp(Math.floor(440 / this.issues.places), 6, 16);
    for (let place = 0; place < this.issues.places; place++) {
      if (place > 0 && place % this.perGroup === 0 && this.perGroup > 1) y += 2;
      rows.push({ pipeline: -1, place, y, height: high - 1 });
      y += high;
    }
    this.rows = rows;
    this.height = y + 4;
  }

  plotWidth() {
    return Math.max(1, this.width - this.gutter - 4);
  }

  /** @param {number} cycle */
  x(cycle) {
    return this.gutter + (cycle - this.from) / (this.to - this.from) * this.plotWidth();
  }

  /** The span under the cursor. */
  spanHere() {
    const row = this.rows[this.row];
    if (!row) return null;
    return this.issues.at(row.pipeline >= 0 ? this.issues.pipelines[row.pipeline] : this.issues.warps[row.place],
      this.cursor);
  }

  /** Draws again in the next frame. */
  draw() {
    if (this.waiting || !this.width) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.paint();
    });
  }

  paint() {
    const g = this.canvas.getContext("2d");
    if (!g) return;
    const scale = window.devicePixelRatio || 1;
    g.setTransform(scale, 0, 0, scale, 0, 0);
    g.fillStyle = this.look.ground;
    g.fillRect(0, 0, this.width, this.height);
    this.paintAxis(g);
    this.rows.forEach((row, i) => this.paintRow(g, row, i === this.row));
    this.paintCursor(g);
  }

  /** @param {CanvasRenderingContext2D} g */
  paintAxis(g) {
    const { look } = this;
    const step = niceStep((this.to - this.from) / Math.max(2, this.plotWidth() / 90));
    g.font = "11px " + look.font;
    g.textBaseline = "middle";
    g.textAlign = "center";
    for (let c = Math.ceil(this.from / step) * step; c <= this.to; c += step) {
      const x = Math.round(this.x(c)) + 0.5;
      g.strokeStyle = look.line;
      g.beginPath();
      g.moveTo(x, axisHeight - 4);
      g.lineTo(x, this.height);
      g.stroke();
      g.fillStyle = look.dim;
      const text = cycles(c), half = g.measureText(text).width / 2;
      g.fillText(text, clamp(x, this.gutter + half, this.width - half - 2), 9);
    }
    g.textAlign = "left";
    g.fillText("cycle", 4, 9);
  }

  /**
   * @param {CanvasRenderingContext2D} g
   * @param {{pipeline: number, place: number, y: number, height: number}} row
   * @param {boolean} here
   */
  paintRow(g, row, here) {
    const { look, issues } = this;
    const gutter = this.gutter;
    g.fillStyle = look.lane;
    g.fillRect(gutter, row.y, this.plotWidth(), row.height);
    this.paintSpans(g, row, row.pipeline >= 0 ? issues.pipelines[row.pipeline] : issues.warps[row.place]);
    if (row.pipeline >= 0) {
      const p = issues.timeline.pipelines[row.pipeline];
      g.fillStyle = look.pipelines[this.colours[p.subsystem]];
      g.fillRect(0, row.y, 4, row.height);
      this.paintName(g, p.title, row, here);
    } else if (row.height >= 9 || row.place % Math.ceil(11 / (row.height + 1)) === 0) {
      this.paintName(g, (gutter > 80 ? "warp " : "w ") + row.place, row, here);
    }
  }

  /**
   * @param {CanvasRenderingContext2D} g
   * @param {string} name
   * @param {{y: number, height: number}} row
   * @param {boolean} here
   */
  paintName(g, name, row, here) {
    g.font = `${here ? "bold " : ""}${Math.min(11, row.height + 4)}px ${this.look.font}`;
    g.textAlign = "left";
    g.textBaseline = "middle";
    g.fillStyle = here ? this.look.ink : this.look.dim;
    g.fillText(visible(name), 8, row.y + row.height / 2 + 0.5, this.gutter - 10);
  }

  /**
   * Spans of a pixel or more are drawn as they are; of shorter ones, each pixel shows how much of it is executed.
   * @param {CanvasRenderingContext2D} g
   * @param {{pipeline: number, y: number, height: number}} row
   * @param {Span[]} spans
   */
  paintSpans(g, row, spans) {
    const fine = new Fine(this, g, row);
    for (let i = firstAfter(spans, this.from); i < spans.length && spans[i].from < this.to; i++) {
      const span = spans[i];
      const x = this.x(Math.max(span.from, this.from)), end = this.x(Math.min(span.to, this.to));
      if (end - x < 1.2) {
        fine.add(span, x, end);
        continue;
      }
      fine.flush();
      const colour = this.colourOf(span);
      const quiet = this.isQuiet(span);
      g.globalAlpha = quiet ? 0.25 : 1;
      g.fillStyle = colour;
      const gap = span.state === State.executing && end - x > 4 ? 1 : 0;
      const [y, height] = this.band(row, span);
      g.fillRect(x, y, end - x - gap, height);
      if (span.state === State.executing && end - x > 26 && row.height >= 9) {
        this.paintText(g, span, x, end, row, colour);
      }
      g.globalAlpha = 1;
    }
    fine.flush();
  }

  /**
   * Waiting is drawn thinner than executing: in grey, too, the two differ.
   * @param {{y: number, height: number}} row
   * @param {Span} span
   * @returns {[number, number]} y and height
   */
  band(row, span) {
    if (span.state === State.executing) return [row.y, row.height];
    const inset = span.state === State.queued ? 0 : Math.max(1, Math.floor(row.height / 3));
    return [row.y + inset, row.height - 2 * inset];
  }

  /**
   * @param {Span} span
   * @returns {string | CanvasPattern}
   */
  colourOf(span) {
    switch (span.state) {
      case State.executing: return this.look.pipelines[this.colours[this.issues.classOf(span.issue).subsystem]];
      case State.queued: return this.look.queued;
      case State.barrier: return this.look.barrier;
    }
    return this.look.waiting;
  }

  /**
   * Whether something else is looked at.
   * @param {Span} span
   */
  isQuiet(span) {
    const focus = this.hub.focus;
    const issue = span.cause >= 0 ? span.cause : span.issue;
    if (!focus || issue < 0) return false;
    const c = this.issues.classOf(issue);
    return !touches(focus, c.instruction, c.line, c.subsystem);
  }

  /**
   * @param {CanvasRenderingContext2D} g
   * @param {Span} span
   * @param {number} x
   * @param {number} end
   * @param {{pipeline: number, y: number, height: number}} row
   * @param {string | CanvasPattern} colour
   */
  paintText(g, span, x, end, row, colour) {
    const issue = span.issue, place = this.issues.timeline.place[issue];
    const op = this.issues.classOf(issue).op;
    if (typeof colour !== "string") return;
    g.font = "10px " + this.look.font;
    const who = row.pipeline >= 0 ? `w${place}` : "", short = op.split(".")[0];
    const texts = [`${who} ${op}`, `${who} ${short}`, who].map((t) => visible(t.trim()));
    const text = texts.find((t) => g.measureText(t).width < end - x - 5);
    if (!text) return;
    g.fillStyle = inkOn(colour);
    g.textAlign = "left";
    g.textBaseline = "middle";
    g.fillText(text, x + 3, row.y + row.height / 2 + 0.5);
  }

  /**
   * The cursor, and from where to where the result goes that is waited for.
   * @param {CanvasRenderingContext2D} g
   */
  paintCursor(g) {
    if (this.cursor < this.from || this.cursor > this.to) return;
    const x = Math.round(this.x(this.cursor)) + 0.5;
    g.strokeStyle = this.look.accent;
    g.lineWidth = 1;
    g.beginPath();
    g.moveTo(x, axisHeight - 6);
    g.lineTo(x, this.height);
    g.stroke();
    const row = this.rows[this.row], span = this.spanHere();
    if (!row || !span || span.issue < 0) return;
    g.lineWidth = 1.5;
    g.strokeRect(this.x(Math.max(span.from, this.from)) - 0.5, row.y - 1,
      Math.max(2, this.x(Math.min(span.to, this.to)) - this.x(Math.max(span.from, this.from))), row.height + 2);
    this.paintArrow(g, span);
    g.lineWidth = 1;
  }

  /**
   * An arrow from the instruction that is waited for, in its pipeline, to the one that waits.
   * @param {CanvasRenderingContext2D} g
   * @param {Span} span
   */
  paintArrow(g, span) {
    const cause = span.cause >= 0 ? span.cause : this.issues.cause[span.issue];
    const from = cause >= 0 && this.rowOf(cause), to = span.issue >= 0 && this.rowOf(span.issue);
    if (!from || !to) return;
    const x1 = this.x(this.issues.passed[cause]), y1 = from.y + from.height / 2;
    const x2 = this.x(this.issues.ready[span.issue]), y2 = to.y + to.height / 2;
    const bend = Math.max(12, Math.abs(x2 - x1) / 3);
    g.save();
    g.beginPath();
    g.rect(this.gutter, 0, this.plotWidth(), this.height);
    g.clip();
    g.beginPath();
    g.moveTo(x1, y1);
    g.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
    g.moveTo(x2 - 5, y2 - 3);
    g.lineTo(x2, y2);
    g.lineTo(x2 - 5, y2 + 3);
    g.stroke();
    g.restore();
  }

  /**
   * The row of the pipeline that executes an issue.
   * @param {number} issue
   */
  rowOf(issue) {
    const t = this.issues.timeline, c = this.issues.classOf(issue);
    return this.rows.find((r) => {
      const p = r.pipeline >= 0 && t.pipelines[r.pipeline];
      return p && p.subsystem === c.subsystem
        && (p.core < 0 || this.issues.at(this.issues.pipelines[r.pipeline], this.issues.turn[issue])?.issue === issue);
    });
  }
}

/** The height of the axis of cycles. */
const axisHeight = 22;

/**
 * A pattern of lines.
 * @param {string} ink
 * @param {string} ground
 */
function hatch(ink, ground) {
  return pattern(ground, (g) => {
    g.strokeStyle = ink;
    g.lineWidth = 1.3;
    for (const x of [-4, 0, 4, 8]) {
      g.beginPath();
      g.moveTo(x, 8);
      g.lineTo(x + 8, 0);
      g.stroke();
    }
  });
}

/**
 * A pattern of dots.
 * @param {string} ink
 * @param {string} ground
 */
function dots(ink, ground) {
  return pattern(ground, (g) => {
    g.fillStyle = ink;
    for (const [x, y] of [[0, 0], [4, 4], [0, 4], [4, 0]]) g.fillRect(x + 1, y + 1, 2, 2);
  });
}

/**
 * @param {string} ground
 * @param {(g: CanvasRenderingContext2D) => void} draw
 * @returns {CanvasPattern | string}
 */
function pattern(ground, draw) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 8;
  const g = tile.getContext("2d");
  if (!g) return ground;
  g.fillStyle = ground;
  g.fillRect(0, 0, 8, 8);
  draw(g);
  return g.createPattern(tile, "repeat") || ground;
}
