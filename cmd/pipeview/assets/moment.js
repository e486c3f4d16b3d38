// What a compute unit does at one cycle.
"use strict";

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
