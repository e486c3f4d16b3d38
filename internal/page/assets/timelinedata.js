// The issues of a timeline, unpacked: what each warp does at any time.
"use strict";

/** What a warp does. */
const State = Object.freeze({ absent: 0, executing: 1, waiting: 2, queued: 3, barrier: 4, ending: 5 });

/**
 * A time in which a warp, or a pipeline, does one thing.
 * @typedef {{from: number, to: number, state: number, issue: number, cause: number}} Span
 * issue: what is executed, or what is issued next (-1: nothing); cause: the issue that is waited for (-1: none)
 */

/** A timeline in cycles. */
class Issues {
  /** @param {Page.Timeline} timeline */
  constructor(timeline) {
    const n = timeline.at.length;
    this.timeline = timeline;
    this.length = n;
    this.end = timeline.end / timeline.unit;
    this.issued = new Float64Array(n);
    this.ready = new Float64Array(n);
    this.turn = new Float64Array(n);
    this.passed = new Float64Array(n);
    this.complete = new Float64Array(n); // Infinity: later than what is recorded
    this.second = new Float64Array(n); // when its second pipeline begins
    this.cause = new Int32Array(n).fill(-1);
    this.life = new Int32Array(n);
    this.places = 0;
    for (const life of timeline.lives) this.places = Math.max(this.places, life[0] + 1);
    for (const place of timeline.place) this.places = Math.max(this.places, place + 1);
    this.unpack();
    /** @type {Span[][]} by place */
    this.warps = [];
    for (let place = 0; place < this.places; place++) this.warps.push([]);
    /** @type {Span[][]} by pipeline */
    this.pipelines = timeline.pipelines.map(() => []);
    this.cores = Math.max(1, ...timeline.pipelines.map((p) => p.core + 1));
    this.found = new Map(timeline.pipelines.map((p, i) => [p.subsystem + "/" + p.core, i]));
    this.addLives();
    this.addPipelines();
  }

  unpack() {
    const t = this.timeline;
    const turns = spread(t.turn, this.length), apart = spread(t.apart, this.length),
      longer = spread(t.longer, this.length);
    let at = 0;
    for (let i = 0; i < this.length; i++) {
      at += t.at[i];
      const c = t.classes[t.class[i]];
      this.issued[i] = at / t.unit;
      this.ready[i] = (at - t.queued[i]) / t.unit;
      this.turn[i] = (at + turns[i]) / t.unit;
      this.passed[i] = (at + turns[i] + c.hold) / t.unit;
      this.second[i] = this.turn[i] + apart[i] / t.unit;
      const takes = c.latency + longer[i];
      this.complete[i] = takes < 0 ? Infinity : (at + turns[i] + takes) / t.unit;
    }
  }

  /** @param {number} issue */
  classOf(issue) {
    return this.timeline.classes[this.timeline.class[issue]];
  }

  /** The issues of each warp's life, in their order. */
  addLives() {
    const t = this.timeline;
    /** @type {number[][]} lives by place */
    const at = this.warps.map(() => []);
    t.lives.forEach((life, i) => at[life[0]].push(i));
    /** @type {number[][]} */
    const own = t.lives.map(() => []);
    const current = new Int32Array(this.places);
    for (let i = 0; i < this.length; i++) {
      const place = t.place[i];
      while (current[place] + 1 < at[place].length
        && t.lives[at[place][current[place] + 1]][3] <= this.ready[i] * t.unit + 0.5) {
        current[place]++;
      }
      const life = at[place][current[place]];
      const list = own[life];
      this.life[i] = life;
      if (t.waited[i] > 0) this.cause[i] = list[list.length - t.waited[i]];
      list.push(i);
    }
    own.forEach((list, life) => this.addLife(t.lives[life], list));
  }

  /**
   * Divides a warp's life: it executes for as long as its last instruction keeps a pipeline busy; then it waits until
   * one of its next ones is ready, and queues until one issues.
   * @param {number[]} life
   * @param {number[]} list
   */
  addLife(life, list) {
    const spans = this.warps[life[0]], unit = this.timeline.unit;
    const end = life[4] ? life[4] / unit : Infinity;
    const first = firstReady(list, this.ready);
    let now = life[3] / unit;
    for (let k = 0; k <= list.length; k++) {
      const next = k < list.length ? list[k] : -1;
      const until = next < 0 ? Math.min(end, this.end) : this.issued[next];
      if (k > 0) {
        const done = Math.min(this.passed[list[k - 1]], Math.max(until, now));
        const from = Math.max(now, this.turn[list[k - 1]]);
        this.addGap(spans, now, Math.min(from, done), list, k, first);
        if (done > from) spans.push({ from, to: done, state: State.executing, issue: list[k - 1], cause: -1 });
        now = Math.max(now, done);
      }
      this.addGap(spans, now, until, list, k, first);
      now = Math.max(now, until);
    }
  }

  /**
   * @param {Span[]} spans
   * @param {number} from
   * @param {number} to
   * @param {number[]} list
   * @param {number} k
   * @param {Int32Array} first
   */
  addGap(spans, from, to, list, k, first) {
    if (!(to > from)) return;
    if (k === list.length && this.timeline.lives[this.life[list[0]]][4] === 0) {
      spans.push({ from, to, state: State.waiting, issue: -1, cause: -1 });
      return;
    }
    if (k === list.length) {
      const cause = last(list, this.complete);
      spans.push({ from, to, state: State.ending, issue: -1, cause });
      return;
    }
    const next = list[k], soonest = first[k];
    const ready = Math.min(to, Math.max(from, this.ready[soonest]));
    if (ready > from) {
      const cause = this.cause[soonest];
      const barrier = cause >= 0 && this.classOf(cause).barrier;
      spans.push({ from, to: ready, state: barrier ? State.barrier : State.waiting, issue: soonest, cause });
    }
    if (to > ready) spans.push({ from: ready, to, state: State.queued, issue: next, cause: -1 });
  }

  /**
   * The pipeline of a subsystem that the warp of a place uses; -1: none.
   * @param {number} subsystem
   * @param {number} place
   */
  pipelineOf(subsystem, place) {
    const { found } = this;
    const shared = found.get(subsystem + "/-1");
    return shared !== undefined ? shared : found.get(subsystem + "/" + place % this.cores) ?? -1;
  }

  addPipelines() {
    const t = this.timeline;
    for (let i = 0; i < this.length; i++) {
      const c = this.classOf(i), place = t.place[i];
      const own = this.pipelineOf(c.subsystem, place), second = this.pipelineOf(c.second, place);
      if (own >= 0) {
        this.pipelines[own].push({ from: this.turn[i], to: this.passed[i], state: State.executing, issue: i,
          cause: -1 });
      }
      if (second >= 0) {
        this.pipelines[second].push({ from: this.second[i], to: this.second[i] + c.secondHold / t.unit,
          state: State.executing, issue: i, cause: -1 });
      }
    }
    for (const list of this.pipelines) list.sort((a, b) => a.from - b.from);
  }

  /**
   * What a warp or a pipeline does at a time; null: nothing.
   * @param {Span[]} spans
   * @param {number} time
   */
  at(spans, time) {
    const i = firstAfter(spans, time);
    const span = spans[i];
    return span && span.from <= time ? span : null;
  }

  /**
   * In words.
   * @param {number} place
   * @param {number} time
   */
  describe(place, time) {
    const span = this.at(this.warps[place], time);
    if (!span) return "no warp is resident here";
    const life = this.timeline.lives.find((l) => l[0] === place && l[3] / this.timeline.unit <= time
      && (l[4] === 0 || l[4] / this.timeline.unit >= time));
    const who = life ? `warp ${life[2]} of group ${life[1]}: ` : "";
    const left = cycles(span.to - time);
    switch (span.state) {
      case State.executing:
        return `${who}executes ${this.name(span.issue)}, for ${left} cycles more`;
      case State.waiting:
        return who + (span.cause < 0 ? "what it issues next is beyond the recorded part"
          : `waits for the result of ${this.name(span.cause)}, for ${left} cycles more`);
      case State.barrier:
        return `${who}waits at the barrier${lineText(this.classOf(span.cause).line)}, for ${left} cycles more`;
      case State.queued:
        return `${who}ready to issue ${this.name(span.issue)}, waits for ${this.obstacle(span.issue, time)}, `
          + `for ${left} cycles more`;
    }
    return `${who}has issued all its instructions; the last results come in ${left} cycles`;
  }

  /**
   * What keeps an instruction that is ready from being issued.
   * @param {number} issue
   * @param {number} time
   */
  obstacle(issue, time) {
    const t = this.timeline, c = this.classOf(issue), place = t.place[issue];
    const at = this.pipelineOf(c.subsystem, place);
    const busy = at >= 0 && this.at(this.pipelines[at], time);
    if (!busy || t.place[busy.issue] === place) return "an issue slot";
    return `${t.pipelines[at].title}, which is busy with warp place ${t.place[busy.issue]}`;
  }

  /** @param {number} issue */
  name(issue) {
    const c = this.classOf(issue);
    return c.op + lineText(c.line);
  }
}

/** @param {number} line */
function lineText(line) {
  return line > 0 ? " in line " + line : "";
}

/**
 * A list of pairs, how many elements further and a value, as an array of n values.
 * @param {number[]} pairs
 * @param {number} n
 */
function spread(pairs, n) {
  const out = new Float64Array(n);
  let at = 0;
  for (let i = 0; i < pairs.length; i += 2) {
    at += pairs[i];
    out[at] = pairs[i + 1];
  }
  return out;
}

/**
 * For each place in a list, which of the issues from there on is ready first.
 * @param {number[]} list
 * @param {Float64Array} ready
 */
function firstReady(list, ready) {
  const out = new Int32Array(list.length);
  for (let k = list.length - 1, best = -1; k >= 0; k--) {
    if (best < 0 || ready[list[k]] <= ready[best]) best = list[k];
    out[k] = best;
  }
  return out;
}

/**
 * The issue of a list that completes last.
 * @param {number[]} list
 * @param {Float64Array} complete
 */
function last(list, complete) {
  let best = -1;
  for (const i of list) if (best < 0 || complete[i] >= complete[best]) best = i;
  return best;
}

/**
 * The first span that ends after a time.
 * @param {Span[]} spans
 * @param {number} time
 */
function firstAfter(spans, time) {
  let low = 0, high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle].to > time) high = middle;
    else low = middle + 1;
  }
  return low;
}
