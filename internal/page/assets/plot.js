// The two rooflines.
"use strict";

const plotWidth = 520, plotHeight = 320;
const plotMargin = { left: 58, right: 16, top: 14, bottom: 44 };

/**
 * An axis: where values lie between two points.
 * @typedef {{at: (value: number) => number, ticks: number[], text: (value: number) => string}} Axis
 */

/**
 * @param {number} least
 * @param {number} most
 * @param {number} from
 * @param {number} to
 * @returns {Axis}
 */
function logAxis(least, most, from, to) {
  const a = Math.floor(Math.log10(least) + 1e-9), b = Math.ceil(Math.log10(most) - 1e-9);
  const ticks = [];
  for (let k = a; k <= b; k++) ticks.push(10 ** k);
  return { at: (v) => from + (Math.log10(v) - a) / Math.max(1, b - a) * (to - from), ticks, text: prefixed };
}

/**
 * @param {number} most
 * @param {number} from
 * @param {number} to
 * @returns {Axis}
 */
function linearAxis(most, from, to) {
  const step = niceStep(most / 6);
  const top = Math.ceil(most / step - 1e-9) * step, ticks = [];
  for (let v = 0; v <= top + step / 2; v += step) ticks.push(v);
  return { at: (v) => from + v / top * (to - from), ticks, text: tickText };
}

/**
 * An axis of a few values, side by side.
 * @param {number[]} values
 * @param {number} from
 * @param {number} to
 * @returns {Axis}
 */
function bandAxis(values, from, to) {
  const at = (/** @type {number} */ v) => from + (values.indexOf(v) + 0.5) / values.length * (to - from);
  return { at, ticks: values, text: tickText };
}

/** @param {number} v */
function tickText(v) {
  return Number.isInteger(v) ? grouped(v) : String(Number(v.toPrecision(6)));
}

/** @type {[number, string][]} */
const prefixes = [[1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];

/**
 * A number with a metric prefix.
 * @param {number} x
 */
function prefixed(x) {
  for (const [size, name] of prefixes) {
    if (x >= size * 0.9995) return significantShort(x / size) + name;
  }
  return significantShort(x);
}

/** @param {number} x */
function significantShort(x) {
  return String(Number(x.toPrecision(3)));
}

/**
 * The frame of a plot.
 * @param {string} label what it shows, for those who do not see it
 * @param {Axis} x
 * @param {Axis} y
 * @param {string} xName
 * @param {string} yName
 */
function plotFrame(label, x, y, xName, yName) {
  const { left, right, top, bottom } = plotMargin;
  const drawing = svg("svg.plot", { viewBox: `0 0 ${plotWidth} ${plotHeight}`, role: "img", "aria-label": label });
  for (const v of y.ticks) {
    drawing.append(svg("line.grid", { x1: left, x2: plotWidth - right, y1: y.at(v), y2: y.at(v) }),
      svg("text.tick", { x: left - 6, y: y.at(v) + 4, "text-anchor": "end" }, y.text(v)));
  }
  for (const v of x.ticks) {
    drawing.append(svg("line.grid", { x1: x.at(v), x2: x.at(v), y1: top, y2: plotHeight - bottom }),
      svg("text.tick", { x: x.at(v), y: plotHeight - bottom + 16, "text-anchor": "middle" }, x.text(v)));
  }
  drawing.append(svg("text.axis", { x: (left + plotWidth - right) / 2, y: plotHeight - 8, "text-anchor": "middle" },
    xName),
    svg("text.axis", { x: 0, y: 0, transform: `translate(13 ${(top + plotHeight - bottom) / 2}) rotate(-90)`,
      "text-anchor": "middle" }, yName));
  return drawing;
}

/**
 * @param {Axis} x
 * @param {Axis} y
 * @param {[number, number][]} points
 */
function linePath(x, y, points) {
  return "M" + points.map(([a, b]) => `${x.at(a).toFixed(1)} ${y.at(b).toFixed(1)}`).join("L");
}

/**
 * FLOP per second against FLOP for each byte, with a slope for each memory level.
 * @param {HTMLElement} into
 * @param {Page.Roofline} roof
 */
function drawRoofline(into, roof) {
  const { left, right, top, bottom } = plotMargin;
  const rates = [...roof.points.map((p) => p.rate), ...roof.peaks.map((p) => p.rate)];
  const highest = Math.max(...rates), ridges = roof.memory.map((m) => highest / m.rate);
  const intensities = roof.points.map((p) => p.intensity);
  const x = logAxis(Math.min(...intensities, ...ridges) / 3, Math.max(...intensities, ...ridges) * 3, left,
    plotWidth - right);
  const y = logAxis(Math.min(...roof.points.map((p) => p.rate)) / 3, highest * 1.5, plotHeight - bottom, top);
  const first = x.ticks[0], lastTick = x.ticks[x.ticks.length - 1], least = y.ticks[0];
  const words = roof.points.map((p) => `${p.memory}: ${significant(p.intensity)} FLOP/byte`).join(", ");
  const drawing = plotFrame(`Roofline: ${prefixed(roof.points[0].rate)}FLOP/s; ${words}`, x, y, "FLOP for each byte",
    "FLOP/s");
  const labels = new Labels();
  for (const p of roof.peaks) {
    drawing.append(svg("path.roof", { d: linePath(x, y, [[first, p.rate], [lastTick, p.rate]]) }));
    labels.add(drawing, `${p.name} ${prefixed(p.rate)}FLOP/s`, plotWidth - right - 4, y.at(p.rate) - 6, "end");
  }
  const ceiling = roof.peaks.length ? highest : y.ticks[y.ticks.length - 1];
  for (const m of roof.memory) {
    const from = Math.max(first, least / m.rate), to = Math.min(lastTick, ceiling / m.rate);
    if (to <= from) continue;
    drawing.append(svg("path.roof", { d: linePath(x, y, [[from, from * m.rate], [to, to * m.rate]]) }));
    labels.add(drawing, `${m.name} ${prefixed(m.rate)}B/s`, x.at(to) - 10, y.at(to * m.rate) + 6, "end", slopeOf(x, y));
  }
  for (const p of roof.points) {
    const peak = roof.memory.find((m) => m.name === p.memory);
    if (peak) {
      drawing.append(svg("path.drop", { d: linePath(x, y,
        [[p.intensity, p.rate], [p.intensity, Math.min(ceiling, p.intensity * peak.rate)]]) }));
    }
    drawing.append(svg("circle.point", { cx: x.at(p.intensity), cy: y.at(p.rate), r: 5 }));
    labels.add(drawing, `${p.memory}: ${significant(p.intensity)}`, x.at(p.intensity), y.at(p.rate) + 18, "middle");
  }
  into.append(drawing);
}

/**
 * The angle of a line of one rate, in degrees.
 * @param {Axis} x
 * @param {Axis} y
 */
function slopeOf(x, y) {
  return Math.atan2(y.at(10) - y.at(1), x.at(10) - x.at(1)) * 180 / Math.PI;
}

/** Texts that make way for each other. */
class Labels {
  constructor() {
    /** @type {{x: number, y: number}[]} */
    this.taken = [];
  }

  /**
   * @param {SVGElement} drawing
   * @param {string} text
   * @param {number} x
   * @param {number} y
   * @param {string} anchor
   * @param {number} [angle]
   */
  add(drawing, text, x, y, anchor, angle) {
    if (!angle) {
      while (this.taken.some((t) => Math.abs(t.y - y) < 13 && Math.abs(t.x - x) < 90)) y += 13;
      this.taken.push({ x, y });
    }
    drawing.append(svg("text.label", { x: 0, y: angle ? -5 : 0,
      transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})${angle ? ` rotate(${angle.toFixed(1)})` : ""}`,
      "text-anchor": anchor }, text));
  }
}

/**
 * Instructions per cycle against the number of warps: what throughput and latency allow, and the simulation.
 * @param {HTMLElement} into
 * @param {Page.Occupancy} occupancy
 */
function drawOccupancy(into, occupancy) {
  const { left, right, top, bottom } = plotMargin;
  const most = Math.max(occupancy.most, occupancy.warps, ...occupancy.model.map((p) => p.warps));
  const highest = Math.max(occupancy.roof, ...occupancy.simulated.map((p) => p.rate));
  const x = linearAxis(most, left, plotWidth - right), y = linearAxis(highest * 1.1, plotHeight - bottom, top);
  const here = occupancy.simulated.find((p) => p.warps === occupancy.warps);
  const label = `Occupancy roofline: with ${count(occupancy.warps, "warp")} the simulation issues `
    + `${here ? significant(here.rate) : "?"} of at most ${significant(occupancy.roof)} instructions per cycle`;
  const drawing = plotFrame(label, x, y, "resident warps", "warp instructions per cycle");
  if (occupancy.model.length) {
    drawing.append(svg("path.roof", { d: linePath(x, y,
      [[0, 0], ...occupancy.model.map((p) => /** @type {[number, number]} */ ([p.warps, p.rate]))]) }));
  }
  const end = x.ticks[x.ticks.length - 1];
  drawing.append(svg("path.roof.limit", { d: linePath(x, y, [[0, occupancy.roof], [end, occupancy.roof]]) }),
    svg("text.label", { x: left + 6, y: y.at(occupancy.roof) - 6 },
      `${occupancy.bound}: ${significant(occupancy.roof)}`),
    svg("path.drop", { d: `M${x.at(occupancy.warps)} ${top}V${plotHeight - bottom}` }));
  if (occupancy.simulated.length > 1) {
    drawing.append(svg("path.run", { d: linePath(x, y, occupancy.simulated.map((p) => [p.warps, p.rate])) }));
  }
  for (const p of occupancy.simulated) {
    drawing.append(svg("circle.point" + (p === here ? ".here" : ""),
      { cx: x.at(p.warps), cy: y.at(p.rate), r: p === here ? 6 : 3.5 }));
  }
  if (here) {
    drawing.append(svg("text.label", { x: x.at(here.warps) - 8, y: y.at(here.rate) + 20, "text-anchor": "end" },
      `simulated: ${significant(here.rate)}`));
  }
  into.append(drawing);
}
