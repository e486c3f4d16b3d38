// Colours of source text: OpenCL C, CUDA and HIP.
"use strict";

const tokens = new RegExp([
  String.raw`(?<comment>\/\/.*|\/\*.*?(?:\*\/|$))`, String.raw`(?<directive>^\s*#\s*\w*)`,
  String.raw`(?<string>"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)`,
  String.raw`(?<number>(?:0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[a-zA-Z]*)`,
  String.raw`(?<word>[A-Za-z_]\w*)`,
].join("|"), "g");

/** What kinds of words are. */
const wordKinds = Object.entries({
  keyword: `if else for while do switch case default break continue return goto sizeof struct union enum typedef
    template typename class using namespace const constexpr static inline extern volatile restrict auto operator true
    false unroll`.split(/\s+/).join("|"),
  type: "void|bool|(?:u?(?:char|short|int|long)|float|double|half)(?:2|3|4|8|16)?|unsigned|signed|size_t|dim3"
    + "|u?int(?:8|16|32|64)_t|__half2?|__nv_bfloat16",
  gpu: "__\\w+|kernel|global|local|constant|private|threadIdx|blockIdx|blockDim|gridDim|warpSize|barrier|fma|mad"
    + "|get_(?:global|local|group|num|work)_\\w+|(?:native|half|atomic|atom|sub_group|work_group)_\\w+|atomic[A-Z]\\w*"
    + "|CLK_\\w+",
}).map(([kind, words]) => ({ kind, pattern: new RegExp(`^(?:${words})$`) }));

/** @param {string} word */
function wordKind(word) {
  const found = wordKinds.find((k) => k.pattern.test(word));
  return found ? found.kind : "";
}

/**
 * Adds a line to an element, in its colours.
 * @param {HTMLElement} into
 * @param {string} line
 * @param {boolean} open whether a comment of lines before goes on
 * @returns {boolean} whether a comment goes on behind it
 */
function highlight(into, line, open) {
  let at = 0;
  const add = (/** @type {number} */ end, /** @type {string} */ kind) => {
    const text = line.slice(at, end);
    if (kind && text) into.appendChild(el("span.t-" + kind)).append(text);
    else if (text) into.append(text);
    at = end;
  };
  if (open) {
    const end = line.indexOf("*/");
    add(end < 0 ? line.length : end + 2, "comment");
    if (end < 0) return true;
  }
  tokens.lastIndex = at;
  for (let m = tokens.exec(line); m; m = tokens.exec(line)) {
    const [text] = m, [kind] = Object.entries(m.groups || {}).find(([, found]) => found !== undefined) || [""];
    add(m.index, "");
    add(m.index + text.length, kind === "word" ? wordKind(text) : kind);
    if (text.startsWith("/*") && !(text.length > 3 && text.endsWith("*/"))) return true;
  }
  add(line.length, "");
  return false;
}

/** A text that is drawn line by line: after a change, what changed. */
class Highlighted {
  /** @param {HTMLElement} node */
  constructor(node) {
    this.node = node;
    /** @type {{text: string, node: HTMLElement, from: boolean, to: boolean}[]} from, to: a comment goes on */
    this.lines = [];
  }

  /** @param {string} text */
  show(text) {
    const now = text.split("\n"), { lines } = this, least = Math.min(now.length, lines.length);
    let first = 0, rest = 0;
    while (first < least && now[first] === lines[first].text) first++;
    while (rest < least - first && now[now.length - 1 - rest] === lines[lines.length - 1 - rest].text) rest++;
    const changed = now.slice(first, now.length - rest).map(
      (line) => ({ text: line, node: el("span"), from: false, to: false }));
    const end = lines.length - rest, below = rest ? lines[end].node : null;
    for (const old of lines.slice(first, end)) old.node.remove();
    this.lines = [...lines.slice(0, first), ...changed, ...lines.slice(end)];
    for (const line of changed) this.node.insertBefore(line.node, below);
    for (let i = first; i < this.lines.length; i++) {
      const line = this.lines[i], from = i > 0 && this.lines[i - 1].to;
      if (i >= first + changed.length && line.from === from) break;
      clear(line.node);
      line.from = from;
      line.to = highlight(line.node, line.text, from);
      line.node.append("\n");
    }
  }
}

/**
 * Each line of a source, in its colours.
 * @param {string[]} source
 */
function highlightedLines(source) {
  let open = false;
  return source.map((line) => {
    const code = el("code");
    open = highlight(code, visible(line), open);
    if (!line) code.append(" ");
    return code;
  });
}
