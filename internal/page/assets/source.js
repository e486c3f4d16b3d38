// The annotated source: what each line costs, and why.
"use strict";

/** Lines that are shown around those with instructions. */
const linesAround = 4;
/** A file of so many lines is shown whole. */
const shortFile = 16;

/**
 * What the rows of a source are made of; instructions are those of each line.
 * @typedef {{data: Page.Data, hub: Hub, costs: Map<number, Page.Line>, instructions: Map<number, number[]>,
 *   code: HTMLElement[]}} SourceParts
 */

/**
 * Draws the source with a column for each cause.
 * @param {HTMLElement} into
 * @param {Page.Data} data
 * @param {Hub} hub
 */
function drawSource(into, data, hub) {
  /** @type {Map<number, Page.Line>} */
  const costs = new Map(data.lines.map((l) => [l.line, l]));
  /** @type {Map<number, number[]>} */
  const instructions = new Map();
  data.instructions.forEach((x, i) => {
    if (x.line) instructions.set(x.line, [...(instructions.get(x.line) || []), i]);
  });
  const head = el("tr", {}, el("th.number", { scope: "col" }, "line"), el("th.share", { scope: "col" }, "time"),
    ...data.columns.map((c) => el("th.cause", { scope: "col" }, c.title)),
    data.rest && el("th.cause", { scope: "col" }, "other"), el("th.code", { scope: "col" }, "source"));
  const body = el("tbody");
  const table = el("table.source", { "aria-label": "Source with the share of the time of each line by cause" },
    el("thead", {}, head), body);
  const shown = shownLines(data.source.length, (line) => costs.has(line) || instructions.has(line));
  const parts = { data, hub, costs, instructions, code: highlightedLines(data.source) };
  let gap = 0;
  for (let line = 1; line <= data.source.length; line++) {
    if (!shown.has(line)) {
      gap++;
      continue;
    }
    if (gap) body.append(gapRow(parts, line - gap, line - 1));
    gap = 0;
    body.append(...lineRows(parts, line));
  }
  if (gap) body.append(gapRow(parts, data.source.length - gap + 1, data.source.length));
  for (const l of data.lines) if (l.line === 0) body.append(otherRow(data, l));
  into.append(el("div.scroll", { tabindex: 0, role: "region", "aria-label": "Annotated source" }, table));
  hub.on((focus) => {
    const lines = focus ? linesOf(data, focus) : new Set();
    for (const row of table.querySelectorAll("tr[data-line]")) {
      row.classList.toggle("looked", lines.has(Number(/** @type {HTMLElement} */ (row).dataset.line)));
    }
  });
}

/**
 * The lines that belong to what is looked at.
 * @param {Page.Data} data
 * @param {Focus} focus
 * @returns {Set<number>}
 */
function linesOf(data, focus) {
  if (focus.line !== undefined) return new Set([focus.line]);
  if (focus.instruction !== undefined) return new Set([data.instructions[focus.instruction].line]);
  if (focus.subsystem !== undefined) {
    return new Set(data.instructions.filter((x) => x.subsystem === focus.subsystem).map((x) => x.line));
  }
  return new Set();
}

/**
 * @param {number} lines
 * @param {(line: number) => boolean} matters
 */
function shownLines(lines, matters) {
  const out = new Set();
  for (let line = 1; line <= lines; line++) {
    if (lines <= shortFile) out.add(line);
    else if (matters(line)) for (let k = line - linesAround; k <= line + linesAround; k++) out.add(k);
  }
  return out;
}

/**
 * A row that stands for lines without instructions, and shows them when it is asked to.
 * @param {SourceParts} parts
 * @param {number} from
 * @param {number} to
 */
function gapRow(parts, from, to) {
  const row = el("tr.gap", {}, el("td", { colspan: parts.data.columns.length + 4 }, el("button", {
    type: "button",
    onclick: () => {
      const rows = [];
      for (let line = from; line <= to; line++) rows.push(...lineRows(parts, line));
      row.replaceWith(...rows);
    },
  }, from === to ? `show line ${from}` : `show lines ${from} to ${to}`)));
  return row;
}

/**
 * @param {SourceParts} parts
 * @param {number} line
 * @returns {HTMLElement[]}
 */
function lineRows(parts, line) {
  const { data, hub } = parts, cost = parts.costs.get(line), instructions = parts.instructions.get(line);
  const focus = { line };
  const number = el("td.number");
  const row = el("tr", { "data-line": line, ...(instructions && looksAt(hub, focus)) }, number,
    shareCell("share", cost), ...causeCells(data, cost),
    el("td.code", {}, parts.code[line - 1]));
  if (!instructions) {
    number.append(String(line));
    return [row];
  }
  const details = el("tr.details", { hidden: true, id: "instructions-" + line },
    el("td", { colspan: data.columns.length + 4 }));
  const button = el("button.line", {
    type: "button", "aria-expanded": "false", "aria-controls": details.id,
    "aria-label": `line ${line}: ${count(instructions.length, "instruction")}`,
    ...looksAt(hub, focus),
    onclick: () => {
      const cell = details.firstElementChild;
      if (cell && !cell.firstChild) cell.append(instructionTable(data, hub, instructions));
      details.hidden = !details.hidden;
      button.setAttribute("aria-expanded", String(!details.hidden));
    },
  }, line);
  number.append(button);
  return [row, details];
}

/**
 * @param {Page.Data} data
 * @param {Page.Line} l
 */
function otherRow(data, l) {
  return el("tr.other", {}, el("td.number"), shareCell("share", l), ...causeCells(data, l),
    el("td.code", {}, l.place || "no line"));
}

/**
 * @param {string} kind
 * @param {{share: number, text: string} | undefined} cost
 */
function shareCell(kind, cost) {
  if (!cost) return el("td." + kind);
  return el(`td.${kind}.heat`, { "--heat-share": Math.sqrt(cost.share).toFixed(3) }, cost.text);
}

/**
 * @param {Page.Data} data
 * @param {Page.Line | undefined} cost
 */
function causeCells(data, cost) {
  const cells = data.columns.map((_, i) => shareCell("cause", cost && cost.cells.find((c) => c.column === i)));
  return data.rest ? [...cells, shareCell("cause", cost && cost.cells.find((c) => c.column < 0))] : cells;
}

/**
 * The instructions of a line, with their parameters and what they wait for.
 * @param {Page.Data} data
 * @param {Hub} hub
 * @param {number[]} list
 */
function instructionTable(data, hub, list) {
  const body = el("tbody");
  for (const i of list) {
    const x = data.instructions[i], focus = { instruction: i };
    const more = x.classes > 1 && x.access ? `, and ${count(x.classes - 1, "more pattern")}` : "";
    const transactions = x.transactions ? count(x.transactions, "transaction") : "";
    const memory = [x.access + more, transactions].filter(Boolean).join(": ");
    const numbers = [x.cpi, x.latency, x.lanes, x.issued, x.waited, x.queued];
    body.append(el("tr", { tabindex: 0, "aria-label": x.op, ...looksAt(hub, focus) },
      el("th", { scope: "row" }, x.op, x.buffer ? ` (${x.buffer})` : ""),
      el("td", {}, data.subsystems[x.subsystem].title), ...numbers.map((n) => el("td.right", {}, n)),
      el("td", {}, memory), el("td", {}, waitsFor(data, x)),
      el("td", {}, x.source, x.assumed ? `; ${x.assumed}` : "")));
  }
  return el("table.instructions", { "aria-label": "Instructions of the line" }, el("thead", {}, el("tr", {},
    ...["instruction", "subsystem", "λ", "Λ", "lanes", "executed", "waited", "queued", "access", "waits for",
      "λ and Λ from"].map((h) => el("th", { scope: "col" }, h)))), body);
}

/**
 * What an instruction depends on.
 * @param {Page.Data} data
 * @param {Page.Instruction} x
 */
function waitsFor(data, x) {
  const names = new Set(x.waitsFor.map((i) => data.instructions[i]).map((p) => p.op + lineText(p.line)));
  return [...names].join(", ") || "nothing";
}
