// The lives of warps over time, and how many are resident (V16 Figs. 3.3 and 5.1).
"use strict";

/**
 * The lives of a run's warps: start, end, and the resident warps from each start or end on.
 * @param {Page.Timeline} timeline
 */
function livesOf(timeline) {
  const { unit } = timeline;
  const lives = timeline.lives.map((l) => ({ start: l[3] / unit, end: l[4] ? l[4] / unit : timeline.end / unit }));
  /** @type {[number, number][]} */
  const changes = lives.flatMap((l) => /** @type {[number, number][]} */ ([[l.start, 1], [l.end, -1]]));
  changes.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  /** @type {[number, number][]} */
  const steps = [];
  let warps = 0, area = 0, before = 0;
  for (const [time, by] of changes) {
    area += warps * (time - before);
    before = time;
    warps += by;
    if (steps.length && steps[steps.length - 1][0] === time) steps[steps.length - 1][1] = warps;
    else steps.push([time, warps]);
  }
  const end = timeline.end / unit;
  const latency = lives.reduce((sum, l) => sum + l.end - l.start, 0) / lives.length;
  return { lives, steps, end, mean: area / end, latency, throughput: lives.length / end };
}

/**
 * A line for each warp, and below them the resident warps.
 * @param {HTMLElement} into
 * @param {Page.Timeline} timeline
 */
function drawLives(into, timeline) {
  const { lives, steps, end, mean } = livesOf(timeline);
  const { left, right, top, bottom } = plotMargin;
  const x = linearAxis(end, left, plotWidth - right);
  const y = linearAxis(lives.length, plotHeight - bottom, top);
  const label = `Lives of ${count(lives.length, "warp")} in ${grouped(end)} cycles`;
  const drawing = plotFrame(label, x, y, "cycles", "warps, by start");
  const d = lives.map((l, i) =>
    `M${x.at(l.start).toFixed(1)} ${y.at(i + 0.5).toFixed(1)}H${x.at(l.end).toFixed(1)}`).join("");
  drawing.append(svg("path.life", { d, "stroke-width": Math.max(0.5, Math.min(4, 200 / lives.length)) }));
  const most = Math.max(...steps.map((s) => s[1]));
  const up = linearAxis(most, plotHeight - bottom, top);
  const described = `Resident warps: at most ${most}, ${significant(mean)} on average`;
  const resident = plotFrame(described, x, up, "cycles", "resident warps");
  let path = "M" + left + " " + up.at(0).toFixed(1);
  for (const [time, warps] of steps) path += `H${x.at(time).toFixed(1)}V${up.at(warps).toFixed(1)}`;
  const name = `mean ${significant(mean)}`;
  resident.append(svg("path.run", { d: path }),
    svg("path.drop", { d: `M${left} ${up.at(mean).toFixed(1)}H${plotWidth - right}` }),
    svg("text.label", { x: plotWidth - right - 4, y: up.at(mean) - 6, "text-anchor": "end" }, name));
  into.append(drawing, resident);
}

/**
 * A curve of simulated points, with the present one marked.
 * @param {HTMLElement} into
 * @param {{x: number, y: number}[]} points
 * @param {number[]} all x, of points that are to come, too
 * @param {number} here the x of the present one
 * @param {{x: string, y: string, most: [number, number][], bars?: boolean}} names of the axes; most: what points do
 *   not exceed; bars: x has no values between those of the points
 */
function drawSweep(into, points, all, here, names) {
  const { left, right, top, bottom } = plotMargin, { most } = names;
  const x = names.bars ? bandAxis(all, left, plotWidth - right)
    : linearAxis(Math.max(...all, here, 1), left, plotWidth - right);
  const highest = Math.max(...points.map((p) => p.y), ...most.map((p) => p[1]));
  const y = linearAxis(highest * 1.08, plotHeight - bottom, top);
  const at = points.find((p) => p.x === here);
  const label = `${names.y} against ${names.x}` + (at ? `: ${significant(at.y)} at ${here}` : "");
  const drawing = plotFrame(label, x, y, names.x, names.y);
  if (most.length) {
    const [end, limit] = most[most.length - 1];
    drawing.append(svg("path.roof.limit", { d: linePath(x, y, most) }),
      svg("text.label", { x: x.at(end), y: y.at(limit) - 6, "text-anchor": "end" }, `at most ${significant(limit)}`));
  }
  if (!names.bars) drawing.append(svg("path.run", { d: linePath(x, y, points.map((p) => [p.x, p.y])) }));
  for (const p of points) drawing.append(mark(p, p === at, x, y, names.bars ? all.length : 0));
  if (at) drawing.append(markLabel(points, at, x, y, names.bars));
  into.append(drawing);
}

/**
 * A point, or a bar.
 * @param {{x: number, y: number}} p
 * @param {boolean} here
 * @param {Axis} x
 * @param {Axis} y
 * @param {number} bars how many there are
 */
function mark(p, here, x, y, bars) {
  const name = ".point" + (here ? ".here" : "");
  if (!bars) return svg("circle" + name, { cx: x.at(p.x), cy: y.at(p.y), r: here ? 6 : 3.5 });
  const width = 0.6 * (plotWidth - plotMargin.left - plotMargin.right) / bars;
  return svg("rect" + name, { x: x.at(p.x) - width / 2, y: y.at(p.y), width, height: y.at(0) - y.at(p.y) });
}

/**
 * The value of the present point, where the curve is not.
 * @param {{x: number, y: number}[]} points
 * @param {{x: number, y: number}} at
 * @param {Axis} x
 * @param {Axis} y
 * @param {boolean} [bars]
 */
function markLabel(points, at, x, y, bars) {
  const text = significant(at.y);
  if (bars) return svg("text.label", { x: x.at(at.x), y: y.at(at.y) - 6, "text-anchor": "middle" }, text);
  const i = points.indexOf(at), near = points[i + 1] || points[i - 1];
  const rises = !near || (near.y - at.y) * (near.x - at.x) > 0;
  const last = i === points.length - 1 && i > 0;
  return svg("text.label", {
    x: x.at(at.x) + (last ? -9 : 9), y: y.at(at.y) + (rises !== last ? 20 : -12), "text-anchor": last ? "end" : "start",
  }, text);
}
