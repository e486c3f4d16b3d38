// The page: headline, findings, source, timeline, rooflines, graph, subsystems, assumptions.
"use strict";

/**
 * Shows a run in an element.
 * @param {HTMLElement} root
 * @param {Page.Data} data
 * @param {AbortSignal} [ended] ends what the whole document listens to, before another run is shown
 * @returns {(data: Page.Data) => void} shows what takes longest to compute, where data was without it: findings and
 *   other occupancies
 */
function showReport(root, data, ended) {
  const hub = new Hub();
  const used = new Set(data.instructions.map((x) => x.subsystem));
  const colours = data.timeline
    ? timelineColours(data.timeline)
    : colourIndices(data.subsystems.length, (s) => used.has(s));
  clear(root);
  const change = el("section.part", { id: "findings", "aria-labelledby": "findings-title" });
  const plots = el("div.plots"), occupancy = el("figure");
  let head = headline(data);
  findings(change, data, hub);
  root.append(head, causeBar(data, hub, colours), change);
  const help = act("A line's button shows its instructions.");
  addSection(root, "source", "Source", ["Share of the time by line and cause.", help],
    (into) => drawSource(into, data, hub));
  addSection(root, "timeline", "Timeline", timelineText(data), (into) => {
    if (data.timeline) drawTimeline(into, data.timeline, hub);
  });
  if (data.roofline) {
    plot(plots.appendChild(el("figure")), "Arithmetic roofline",
      "What the launch reaches, for the bytes of each memory level, below the peaks of the device.",
      (into) => drawRoofline(into, /** @type {Page.Roofline} */ (data.roofline)));
  }
  plots.append(occupancy);
  addSection(root, "rooflines", "Rooflines", "", (into) => into.append(plots));
  drawOccupancies(occupancy, data);
  addSection(root, "graph", "Dependences", "Each instruction waits for those above it that point to it.",
    (into) => drawIterations(into, data, hub, colours));
  addSection(root, "subsystems", "Subsystems", "", (into) => drawSubsystems(into, data, hub, colours));
  if (data.assumptions.length) addSection(root, "assumed", "Assumed", "", (into) => drawAssumptions(into, data, hub));
  document.addEventListener("keydown", (e) => {
    if (e.key === "Escape") {
      hub.pinned = null;
      hub.hovered = null;
      hub.tell();
    }
  }, { signal: ended });
  return (whole) => {
    head.replaceWith(head = headline(whole));
    findings(change, whole, hub);
    drawOccupancies(occupancy, whole);
  };
}

/**
 * @param {HTMLElement} figure
 * @param {Page.Data} data
 */
function drawOccupancies(figure, data) {
  const { occupancy } = data, section = /** @type {HTMLElement} */ (figure.closest("section"));
  section.hidden = !data.roofline && !occupancy;
  figure.hidden = !occupancy;
  clear(figure);
  if (!occupancy) return;
  plot(figure, "Occupancy roofline",
    "Line: what latency and throughput allow. Points: simulated. Dashed: the resident warps.",
    (into) => drawOccupancy(into, occupancy));
}

/**
 * The colours of a timeline's subsystems.
 * @param {Page.Timeline} t
 */
function timelineColours(t) {
  const used = new Set(t.classes.flatMap((c) => [c.subsystem, c.second]));
  return colourIndices(Math.max(...t.pipelines.map((p) => p.subsystem)) + 1, (s) => used.has(s));
}

/**
 * @param {HTMLElement} root
 * @param {string} id
 * @param {string} title
 * @param {Child | Child[]} about
 * @param {(into: HTMLElement) => void} draw
 */
function addSection(root, id, title, about, draw) {
  const section = el("section.part", { id, "aria-labelledby": id + "-title" }, el("h2", { id: id + "-title" }, title),
    about && el("p.about", {}, about));
  root.append(section);
  draw(section);
}

/**
 * What a reader can do, which paper leaves out.
 * @param {string} text
 */
function act(text) {
  return el("span.act", {}, " " + text);
}

/**
 * @param {HTMLElement} figure
 * @param {string} title
 * @param {string} text
 * @param {(into: HTMLElement) => void} draw
 */
function plot(figure, title, text, draw) {
  figure.append(el("figcaption", {}, el("h3", {}, title), el("p", {}, text)));
  draw(figure);
}

/** @param {Page.Data} data */
function headline(data) {
  const time = data.facts.find((f) => f.name === "time") || data.facts[0];
  const facts = data.facts.filter((f) => f !== time);
  const short = (time.text.match(/^[^,(·]*/) || [""])[0].trim();
  const rest = time.text.slice(short.length).replace(/^[,·\s]+/, "");
  return el("header.headline", {}, el("h1", {}, data.title), el("p.about", {}, data.about.join(" · ")),
    el("p.time", {}, el("strong", {}, short), " ", el("span", {}, rest)),
    el("dl.facts", {}, ...facts.map((f) => el("div", {}, el("dt", {}, f.name),
      el("dd", {}, f.text, f.line ? quote(data, f.line) : null)))));
}

/**
 * A source line with its number.
 * @param {Page.Data} data
 * @param {number} line
 * @param {number} [column]
 */
function quote(data, line, column) {
  const text = data.source[line - 1];
  if (text === undefined) return null;
  const indent = (text.match(/^\s*/) || [""])[0].length, head = `${line} | `;
  const caret = column && column > indent
    ? el("span.caret", { "aria-hidden": "true" }, " ".repeat(head.length + column - 1 - indent) + "^") : null;
  const code = el("code", {}, head);
  highlight(code, visible(text.trim()), false);
  if (caret) code.append(caret);
  return el("pre.quote", {}, code);
}

/**
 * The causes of the time, side by side.
 * @param {Page.Data} data
 * @param {Hub} hub
 * @param {number[]} colours
 */
function causeBar(data, hub, colours) {
  const parts = data.columns.map((c) => {
    const focus = c.subsystem >= 0 ? { subsystem: c.subsystem } : null;
    return el(`li.cause.c-${c.code}${c.subsystem >= 0 ? ".p" + colours[c.subsystem] : ""}`, {
      "--share": c.share.toFixed(4), ...looksAt(hub, focus),
    }, el("span.bar", { "aria-hidden": "true" }), el("span.name", {}, el("b", {}, c.text), " " + c.title));
  });
  if (data.rest) {
    parts.push(el("li.cause", {}, el("span.bar", { "aria-hidden": "true" }),
      el("span.name", {}, el("b", {}, data.rest), " other causes")));
  }
  return el("ul.causes", { "aria-label": "What the time is spent on" }, ...parts);
}

/**
 * @param {HTMLElement} section
 * @param {Page.Data} data
 * @param {Hub} hub
 */
function findings(section, data, hub) {
  clear(section);
  section.append(el("h2", { id: "findings-title" }, "What to change"));
  if (!data.findings) {
    section.append(el("p.about", {}, "simulating what could be changed"));
    return;
  }
  if (!data.findings.length) {
    section.append(el("p", {}, data.nothing));
    return;
  }
  const list = el("ol.findings");
  const longest = data.report.seconds;
  data.findings.forEach((f, i) => list.append(finding(data, hub, f, longest, i)));
  section.append(list);
  const rest = data.findings.length - data.shown;
  if (rest > 0) {
    list.classList.add("short");
    const button = el("button", { type: "button", onclick: () => {
      list.classList.remove("short");
      button.remove();
    } }, `show ${count(rest, "more finding")}`);
    section.append(button);
  }
  for (const text of data.below) section.append(el("p.about", {}, text));
}

/**
 * @param {Page.Data} data
 * @param {Hub} hub
 * @param {Page.Finding} f
 * @param {number} longest seconds
 * @param {number} i
 */
function finding(data, hub, f, longest, i) {
  const focus = f.line ? { line: f.line } : null;
  const left = Math.min(1, f.seconds / longest);
  return el("li.finding" + (i >= data.shown ? ".more" : ""), {
    tabindex: 0, "aria-labelledby": "finding-" + i, ...looksAt(hub, focus), onclick: () => focus && hub.pin(focus),
  }, el("h3", { id: "finding-" + i }, el("span.saves", {}, f.head), " ", f.what),
    el("span.saving", { "--left": left.toFixed(4), "aria-hidden": "true" }),
    f.line ? quote(data, f.line, f.column) : null,
  el("p.proof", {}, f.proof), el("p.remedy", {}, f.remedy, " ", el("code", {}, f.code)));
}

/** @param {Page.Data} data */
function timelineText(data) {
  const t = data.timeline;
  if (!t) return "There is no timeline: " + data.noTimeline;
  const part = t.whole ? "All" : "The first";
  const rest = t.whole ? "." : ": the rest of the run is left out of the page.";
  return [`${part} ${grouped(t.at.length)} issues of one compute unit${rest}`,
    act("Drag to move, Ctrl and wheel or double click to zoom.")];
}

/**
 * @param {HTMLElement} into
 * @param {Page.Data} data
 * @param {Hub} hub
 * @param {number[]} colours
 */
function drawSubsystems(into, data, hub, colours) {
  const body = el("tbody");
  data.subsystems.forEach((s, i) => {
    if (!s.share) return;
    body.append(el("tr" + (s.bound ? ".bound" : ""), { "data-subsystem": i },
      el("th", { scope: "row" }, subsystemButton(hub, i, colours[i], s.title)), el("td.right", {}, s.busy),
      el("td.meter", {}, el(`span.p${colours[i]}`,
        { "--share": Math.min(1, s.share).toFixed(4), "aria-hidden": "true" })),
      el("td.right", {}, s.issued)));
  });
  const head = (/** @type {string} */ kind, /** @type {string} */ text) => el("th" + kind, { scope: "col" }, text);
  into.append(el("table.subsystems", { "aria-label": "How busy the subsystems are" },
    el("thead", {}, el("tr", {},
      head("", "subsystem"), head(".right", "busy"), el("td", {}), head(".right", "warp instructions"))),
    body));
  hub.on((focus) => {
    for (const row of body.children) {
      const own = Number(/** @type {HTMLElement} */ (row).dataset.subsystem);
      row.classList.toggle("looked", !!focus && subsystemsOf(data, focus).has(own));
    }
  });
}

/**
 * The subsystems that belong to what is looked at.
 * @param {Page.Data} data
 * @param {Focus} focus
 * @returns {Set<number>}
 */
function subsystemsOf(data, focus) {
  if (focus.subsystem !== undefined) return new Set([focus.subsystem]);
  if (focus.instruction !== undefined) return new Set([data.instructions[focus.instruction].subsystem]);
  return new Set(data.instructions.filter((x) => x.line === focus.line).map((x) => x.subsystem));
}

/**
 * @param {HTMLElement} into
 * @param {Page.Data} data
 * @param {Hub} hub
 */
function drawAssumptions(into, data, hub) {
  into.append(el("ul.assumptions", {}, ...data.assumptions.map((a) => {
    const focus = a.line ? { line: a.line } : null;
    return el("li", looksAt(hub, focus), a.text,
      a.advice ? el("span.advice", {}, a.advice.replace(/\n/g, "; ")) : null);
  })));
}
