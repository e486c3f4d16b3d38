// What the drawings of a run share: elements, numbers, colours, and what is looked at.
"use strict";

/**
 * Something that is looked at: a source line, an instruction, a subsystem or a place of warps. Each is an index of
 * the data's lists, lines are numbers from 1.
 * @typedef {{line?: number, instruction?: number, subsystem?: number, place?: number}} Focus
 */

/** What is looked at, by the pointer or the keyboard (hovered) or after a click (pinned). */
class Hub {
  constructor() {
    /** @type {((focus: Focus | null) => void)[]} */
    this.listeners = [];
    /** @type {Focus | null} */
    this.hovered = null;
    /** @type {Focus | null} */
    this.pinned = null;
  }

  /** @param {(focus: Focus | null) => void} listener is told of changes */
  on(listener) {
    this.listeners.push(listener);
  }

  /** @returns {Focus | null} */
  get focus() {
    return this.hovered || this.pinned;
  }

  /** @param {Focus | null} focus */
  hover(focus) {
    if (sameFocus(this.hovered, focus)) return;
    this.hovered = focus;
    this.tell();
  }

  /**
   * Pins what is not pinned, else lets it go.
   * @param {Focus | null} focus
   */
  pin(focus) {
    this.pinned = sameFocus(this.pinned, focus) ? null : focus;
    this.tell();
  }

  tell() {
    for (const listener of this.listeners) listener(this.focus);
  }
}

/**
 * @param {Focus | null} a
 * @param {Focus | null} b
 */
function sameFocus(a, b) {
  if (!a || !b) return a === b;
  return a.line === b.line && a.instruction === b.instruction && a.subsystem === b.subsystem && a.place === b.place;
}

/**
 * Whether an instruction belongs to what is looked at.
 * @param {Focus} focus
 * @param {number} instruction
 * @param {number} line
 * @param {number} subsystem
 */
function touches(focus, instruction, line, subsystem) {
  if (focus.instruction !== undefined) return focus.instruction === instruction;
  if (focus.line !== undefined) return focus.line === line;
  if (focus.subsystem !== undefined) return focus.subsystem === subsystem;
  return true;
}

const unseen =
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/**
 * Characters that have no look of their own, or that change the direction of text, as what stands for them.
 * @param {string} text
 */
function visible(text) {
  return text.replace(unseen, (c) => {
    const code = c.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : "<" + code.toString(16) + ">";
  });
}

/** @typedef {string | number | Node | null | undefined | false} Child */

/**
 * An element of HTML. Attributes that begin with "on" are listeners; texts are never markup.
 * @param {string} name of the element, with classes behind points: "div.card"
 * @param {Object<string, any>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElement}
 */
function el(name, attributes, ...children) {
  const [tag, ...classes] = name.split(".");
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(" ");
  fill(node, attributes, children);
  return node;
}

/**
 * An element of SVG.
 * @param {string} name
 * @param {Object<string, any>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElement}
 */
function svg(name, attributes, ...children) {
  const [tag, ...classes] = name.split(".");
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  if (classes.length) node.setAttribute("class", classes.join(" "));
  fill(node, attributes, children);
  return /** @type {SVGElement} */ (node);
}

/**
 * @param {Element} node
 * @param {Object<string, any> | undefined} attributes
 * @param {(Child | Child[])[]} children
 */
function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key.startsWith("--")) /** @type {HTMLElement} */ (node).style.setProperty(key, value);
    else node.setAttribute(key, value === true ? "" : visible(String(value)));
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : visible(String(child)));
  }
}

/** @param {Element} node */
function clear(node) {
  while (node.firstChild) node.firstChild.remove();
}

/**
 * A whole number with commas, as the text report has it.
 * @param {number} n
 */
function grouped(n) {
  return String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ",");
}

/**
 * A number with three digits, or all of a large one.
 * @param {number} x
 */
function significant(x) {
  const size = Math.abs(x);
  if (size >= 99.95) return grouped(x);
  if (size >= 9.995) return x.toFixed(1);
  if (size >= 0.9995) return x.toFixed(2);
  return x === 0 ? "0" : String(Number(x.toPrecision(3)));
}

/**
 * A time in cycles: exact up to a hundredth.
 * @param {number} x
 */
function cycles(x) {
  const rounded = Math.round(x * 100) / 100;
  if (Number.isInteger(rounded)) return grouped(rounded);
  const [whole, part] = rounded.toFixed(2).split(".");
  return grouped(Number(whole)) + "." + part;
}

/**
 * @param {number} n
 * @param {string} noun
 */
function count(n, noun) {
  return n === 1 ? "1 " + noun : grouped(n) + " " + noun + "s";
}

/**
 * Listeners of an element that has a thing looked at while the pointer or the focus is on it.
 * @param {Hub} hub
 * @param {Focus | null} focus
 */
function looksAt(hub, focus) {
  const on = () => hub.hover(focus), off = () => hub.hover(null);
  return { onmouseenter: on, onmouseleave: off, onfocus: on, onblur: off };
}

/** How many colours of pipelines the style has; more pipelines have the last one. */
const pipelineColours = 8;

/**
 * Which colour each subsystem has: those that are used come first, in their order, so that few ones stay far apart.
 * @param {number} subsystems
 * @param {(subsystem: number) => boolean} used
 */
function colourIndices(subsystems, used) {
  let next = 0;
  /** @type {number[]} */
  const out = [];
  for (let i = 0; i < subsystems; i++) out.push(used(i) ? Math.min(next++, pipelineColours - 1) : pipelineColours - 1);
  return out;
}

/**
 * The value of a custom property of the style.
 * @param {Element} node
 * @param {string} name
 */
function styleOf(node, name) {
  return getComputedStyle(node).getPropertyValue(name).trim();
}

/**
 * The relative luminance of "#rrggbb" (WCAG 2).
 * @param {string} colour
 */
function luminance(colour) {
  const part = (/** @type {number} */ at) => {
    const c = parseInt(colour.slice(at, at + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}

/**
 * Black or white, whichever can be read on a colour.
 * @param {string} colour
 */
function inkOn(colour) {
  return luminance(colour) > 0.179 ? "#000000" : "#ffffff";
}

/**
 * A button that shows where a subsystem is used.
 * @param {Hub} hub
 * @param {number} subsystem
 * @param {number} colour
 * @param {string} title
 */
function subsystemButton(hub, subsystem, colour, title) {
  const focus = { subsystem };
  const button = el("button.key", {
    type: "button", "aria-pressed": "false", ...looksAt(hub, focus), onclick: () => hub.pin(focus),
  }, el("span.swatch.p" + colour, { "aria-hidden": "true" }), title);
  hub.on(() => button.setAttribute("aria-pressed", String(hub.pinned !== null && hub.pinned.subsystem === subsystem)));
  return button;
}

/**
 * @param {number} x
 * @param {number} least
 * @param {number} most
 */
function clamp(x, least, most) {
  return Math.min(Math.max(x, least), Math.max(least, most));
}

/**
 * A step of 1, 2 or 5 times a power of ten, at least so long.
 * @param {number} least
 */
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1e-9)));
  for (const m of [1, 2, 5]) if (m * power >= least) return m * power;
  return 10 * power;
}
