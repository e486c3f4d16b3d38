// The page's state as the fragment of its address: #builtin=mmul&devices=gtx1060,a100&unroll=0:8
"use strict";

/** Fields that stand in a link as they are. */
const linkFields = /** @type {const} */ (["builtin", "file", "kernel", "defines", "local", "global", "args", "issue",
  "scheduler", "limit", "concurrent", "rules"]);

/** @param {PageState} state */
async function linkOf(state) {
  const link = new URLSearchParams();
  for (const field of linkFields) if (state[field]) link.set(field, state[field]);
  if (state.text && !state.builtin) link.set("text", await packed(state.text));
  const devices = state.devices.filter((d) => d);
  if (devices.length) link.set("devices", devices.join(","));
  if (state.factors.size) link.set("unroll", [...state.factors].map(([loop, factor]) => loop + ":" + factor).join(","));
  return "#" + link.toString().replace(/%2C/g, ",").replace(/%3A/g, ":");
}

/**
 * The state of a link; null where it holds none.
 * @param {string} fragment
 */
async function stateOf(fragment) {
  const link = new URLSearchParams(fragment.replace(/^#/, ""));
  if (!link.has("builtin") && !link.has("text")) return null;
  const state = new PageState();
  for (const field of linkFields) state[field] = link.get(field) || "";
  state.text = await unpacked(link.get("text") || "");
  state.devices = (link.get("devices") || "").split(",").filter((d) => d);
  for (const pair of (link.get("unroll") || "").split(",")) {
    const [loop, factor] = pair.split(":").map(Number);
    if (Number.isInteger(loop) && factor >= 1) state.factors.set(loop, factor);
  }
  return state;
}

/** The streams that TypeScript 4.8 does not know yet. */
const streams = /** @type {any} */ (window);

/**
 * A text, compressed, in the letters of an address.
 * @param {string} text
 */
async function packed(text) {
  const bytes = await transformed(new TextEncoder().encode(text), new streams.CompressionStream("deflate-raw"));
  let binary = "";
  for (const b of bytes) binary += String.fromCharCode(b);
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** @param {string} code */
async function unpacked(code) {
  if (!code) return "";
  try {
    const binary = atob(code.replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
    return new TextDecoder().decode(await transformed(bytes, new streams.DecompressionStream("deflate-raw")));
  } catch (why) {
    throw new Error("the link is damaged: its source cannot be read");
  }
}

/** The most bytes that a link's text may have: a short code can stand for a text without end. */
const longestText = 1 << 20;

/**
 * @param {Uint8Array} bytes
 * @param {GenericTransformStream} transform
 */
async function transformed(bytes, transform) {
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader();
  /** @type {number[]} */
  const out = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Uint8Array.from(out);
    if (out.length + value.length > longestText) throw new Error("the text is too long");
    for (const b of value) out.push(b);
  }
}
