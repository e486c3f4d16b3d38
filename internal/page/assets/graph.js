// The dependence graph of an iteration, with its longest chain.
"use strict";

const nodeWidth = 132, nodeHeight = 36, nodeGap = 16, layerGap = 30;

/**
 * Draws the graphs of iterations, one at a time.
 * @param {HTMLElement} into
 * @param {Page.Data} data
 * @param {Hub} hub
 * @param {number[]} colours by subsystem
 */
function drawIterations(into, data, hub, colours) {
  /** @type {{iteration: Page.Iteration, view: Page.View}[]} */
  const all = data.iterations.flatMap((iteration) => iteration.views.map((view) => ({ iteration, view })));
  if (!all.length) {
    into.append(el("p", {}, "The graph is too large to be drawn."));
    return;
  }
  const place = el("div");
  const select = /** @type {HTMLSelectElement} */ (el("select",
    { id: "iteration", onchange: () => show(Number(select.value)) },
    ...all.map(({ iteration, view }, i) => el("option", { value: i }, `${iteration.title}, ${view.title}`))));
  /** @type {(() => void)[]} */
  let listeners = [];
  /** @param {number} i */
  const show = (i) => {
    clear(place);
    listeners = drawGraph(place, all[i].iteration, all[i].view, data, hub, colours);
    for (const listener of listeners) listener();
  };
  into.append(el("p.chooser", {}, el("label", { for: "iteration" }, "Show "), select), place);
  hub.on(() => listeners.forEach((listener) => listener()));
  show(0);
}

/**
 * @param {HTMLElement} into
 * @param {Page.Iteration} iteration
 * @param {Page.View} view
 * @param {Page.Data} data
 * @param {Hub} hub
 * @param {number[]} colours
 * @returns {(() => void)[]} what to call when something else is looked at
 */
function drawGraph(into, iteration, view, data, hub, colours) {
  const slots = view.nodes.map((n) => n.slot), left = Math.min(...slots), right = Math.max(...slots);
  const layers = Math.max(...view.nodes.map((n) => n.layer)) + 1;
  const loops = view.edges.filter((e) => e.carried).length;
  const margin = loops ? 24 + Math.min(loops, 8) * 5 : 8;
  const width = (right - left + 1) * (nodeWidth + nodeGap) + 2 * margin, height = layers * (nodeHeight + layerGap);
  const x = (/** @type {Page.Node} */ n) => margin + (n.slot - left) * (nodeWidth + nodeGap) + nodeGap / 2;
  const y = (/** @type {Page.Node} */ n) => n.layer * (nodeHeight + layerGap) + layerGap / 2;
  const chain = view.nodes.filter((n) => n.critical).map((n) => nodeText(data, n));
  const drawing = svg("svg.graph", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group",
    "aria-label": `${iteration.title}: ${count(view.nodes.length, "node")}` });
  let loop = 0;
  for (const e of view.edges) {
    const from = view.nodes[e.from], to = view.nodes[e.to];
    const path = e.carried ? carriedPath(x(from), y(from), x(to), y(to), width - 6 - (loop++ % 8) * 5)
      : edgePath(x(from), y(from), x(to), y(to));
    drawing.append(svg(`path.edge.${e.kind}${e.critical ? ".critical" : ""}${e.carried ? ".carried" : ""}`,
      { d: path }));
  }
  const boxes = view.nodes.map((n, i) => nodeBox(data, hub, n, x(n), y(n), colours, i === 0));
  drawing.append(...boxes);
  walkable(boxes);
  into.append(
    el("p", {}, count(iteration.instructions, "warp instruction"), "; the longest chain takes ",
      cycles(iteration.cycles), " cycles: ", el("span.chain", {}, chain.join(" → "))),
    el("div.scroll", { tabindex: 0, role: "region", "aria-label": "Dependence graph" }, drawing),
    el("p.about", {}, "Thick: the longest chain. Dashed: control. Dotted: order. Grey at the right: from one ",
      "iteration to the next. ×N: N instructions.", act("Arrow keys go from node to node.")));
  return [() => {
    const focus = hub.focus;
    boxes.forEach((box, i) => {
      const x = data.instructions[view.nodes[i].instruction];
      const near = !focus || focus.place !== undefined
        || touches(focus, view.nodes[i].instruction, x.line, x.subsystem);
      box.classList.toggle("quiet", !near);
      box.classList.toggle("looked", !!focus && near && focus.place === undefined);
    });
  }];
}

/**
 * @param {Page.Data} data
 * @param {Page.Node} n
 */
function nodeText(data, n) {
  const x = data.instructions[n.instruction];
  return x.op + (n.critical > 1 ? ` ×${n.critical}` : "");
}

/**
 * @param {Page.Data} data
 * @param {Hub} hub
 * @param {Page.Node} n
 * @param {number} x
 * @param {number} y
 * @param {number[]} colours
 * @param {boolean} first
 */
function nodeBox(data, hub, n, x, y, colours, first) {
  const i = data.instructions[n.instruction], focus = i.line ? { line: i.line } : { instruction: n.instruction };
  const times = n.count > 1 ? ` ×${n.count}` : "";
  const name = (i.buffer ? `${i.op} ${i.buffer}` : i.op) + times;
  const label = `${name}, ${data.subsystems[i.subsystem].title}${lineText(i.line)}, λ ${i.cpi}, Λ ${i.latency}`
    + (n.critical ? ", on the longest chain" : "");
  return svg("g.node" + (n.critical ? ".critical" : ""), {
    transform: `translate(${x} ${y})`, tabindex: first ? 0 : -1, role: "img", "aria-label": label,
    ...looksAt(hub, focus), onclick: () => hub.pin(focus),
  }, svg("title", {}, label), svg("rect.box", { width: nodeWidth, height: nodeHeight, rx: 4 }),
    svg(`rect.stripe.p${colours[i.subsystem]}`, { width: 6, height: nodeHeight, rx: 2 }),
  svg("text", { x: 12, y: 15 }, shorten(name, 19)),
  svg("text.small", { x: 12, y: 29 }, shorten(`${i.line ? "line " + i.line + " · " : ""}${i.latency} cycles`, 22)));
}

/**
 * @param {string} text
 * @param {number} most
 */
function shorten(text, most) {
  return text.length > most ? text.slice(0, most - 1) + "…" : text;
}

/**
 * Arrow keys go through elements of which one can be reached by Tab.
 * @param {Element[]} list
 */
function walkable(list) {
  list.forEach((node, i) => node.addEventListener("keydown", (event) => {
    const key = /** @type {KeyboardEvent} */ (event).key;
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
    const next = step && list[i + step];
    if (!next) return;
    event.preventDefault();
    node.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    /** @type {SVGElement} */ (next).focus();
  }));
}

/**
 * @param {number} x1
 * @param {number} y1
 * @param {number} x2
 * @param {number} y2
 */
function edgePath(x1, y1, x2, y2) {
  const a = x1 + nodeWidth / 2, b = y1 + nodeHeight, c = x2 + nodeWidth / 2;
  const bend = Math.max(12, (y2 - b) / 2);
  return `M${a} ${b}C${a} ${b + bend} ${c} ${y2 - bend} ${c} ${y2}`;
}

/**
 * A way around the right edge, from the end of an iteration to the beginning of the next.
 * @param {number} x1
 * @param {number} y1
 * @param {number} x2
 * @param {number} y2
 * @param {number} edge
 */
function carriedPath(x1, y1, x2, y2, edge) {
  const a = x1 + nodeWidth, b = y1 + nodeHeight / 2, c = x2 + nodeWidth, d = y2 + nodeHeight / 2 - 6;
  return `M${a} ${b}C${edge} ${b} ${edge} ${b} ${edge} ${(b + d) / 2}S${edge} ${d} ${c} ${d}`;
}
