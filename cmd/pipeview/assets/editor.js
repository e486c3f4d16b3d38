// The editor of the source: a text field with line numbers, in colours, and what is wrong with its lines.
"use strict";

class Editor {
  /** @param {() => void} changed is called after each change by the user */
  constructor(changed) {
    this.lines = el("pre.numbers", { "aria-hidden": "true" });
    this.field = /** @type {HTMLTextAreaElement} */ (el("textarea", {
      id: "source-text", "aria-label": "Source of the kernel", spellcheck: "false", autocapitalize: "off",
      autocomplete: "off", wrap: "off",
      oninput: () => {
        this.draw();
        changed();
      },
      onscroll: () => this.scroll(),
      onkeydown: (/** @type {KeyboardEvent} */ e) => this.indent(e),
    }));
    // The field's own letters cannot be seen: those below them have the colours.
    const letters = el("pre.letters", { "aria-hidden": "true" });
    this.letters = new Highlighted(letters);
    this.messages = el("ul.messages", { "aria-label": "Diagnostics" });
    this.node = el("div.editor", {}, el("div.text", {}, this.lines,
      el("div.area", {}, letters, this.field)), this.messages);
    /** @type {Map<number, string>} severities by line */
    this.marks = new Map();
    /** @type {Map<number, Page.Line>} what lines cost */
    this.costs = new Map();
  }

  get text() {
    return this.field.value;
  }

  set text(text) {
    if (text === this.field.value) return;
    this.field.value = text;
    this.draw();
  }

  draw() {
    this.letters.show(this.field.value);
    this.number();
  }

  /** @param {Page.Line[]} lines whose costs their numbers show */
  heat(lines) {
    this.costs = new Map(lines.filter((l) => l.line && l.share >= 0.005).map((l) => [l.line, l]));
    this.number();
  }

  scroll() {
    this.lines.scrollTop = this.field.scrollTop;
    this.letters.node.scrollTo(this.field.scrollLeft, this.field.scrollTop);
  }

  /**
   * Begins a new line below the beginning of the one before.
   * @param {KeyboardEvent} e
   */
  indent(e) {
    if (e.key !== "Enter" || e.ctrlKey || e.metaKey || e.altKey || e.isComposing) return;
    const before = this.field.value.slice(0, this.field.selectionStart);
    const [blanks] = before.slice(before.lastIndexOf("\n") + 1).match(/^[ \t]*/) || [""];
    e.preventDefault();
    document.execCommand("insertText", false, "\n" + blanks); // the one way that can be undone
  }

  /** Numbers the lines, and marks those with diagnostics and those that take time. */
  number() {
    const n = this.field.value.split("\n").length;
    clear(this.lines);
    let plain = 1;
    for (const line of [...new Set([...this.marks.keys(), ...this.costs.keys()])].sort((a, b) => a - b)) {
      if (line > n) break;
      const cost = this.costs.get(line), kinds = (cost ? ".heat" : "") + (this.marks.has(line) ? "." : "");
      this.lines.append(numbers(plain, line), el(`mark${kinds}${this.marks.get(line) || ""}`, {
        title: cost && cost.text + " of the time", "--heat-share": cost && Math.sqrt(cost.share).toFixed(3),
      }, String(line)), "\n");
      plain = line + 1;
    }
    this.lines.append(numbers(plain, n + 1), "\n\n");
    this.scroll();
  }

  /**
   * Shows diagnostics below the text.
   * @param {View.Diagnostic[]} list
   * @param {string} file of the source
   */
  show(list, file) {
    clear(this.messages);
    this.marks.clear();
    for (const d of list) {
      const here = d.line && d.file === file;
      if (here && d.line && d.severity !== "note" && this.marks.get(d.line) !== "error") {
        this.marks.set(d.line, d.severity);
      }
      this.messages.append(el("li." + d.severity, {},
        here && el("button.line", { type: "button", onclick: () => this.goTo(d.line || 1, d.column || 1) },
          "line " + d.line),
        !here && d.file ? d.file + (d.line ? ":" + d.line : "") + " " : null,
        el("b", {}, d.severity), " ", d.message, ...(d.notes || []).map((n) => el("span.more", {}, n))));
    }
    this.number();
  }

  /**
   * Puts the cursor at a place.
   * @param {number} line
   * @param {number} column
   */
  goTo(line, column) {
    const before = this.field.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    this.field.focus();
    this.field.setSelectionRange(before + column - 1, before + column - 1);
    this.reveal(line);
  }

  /** @param {number} line that comes to stand near the top */
  reveal(line) {
    const height = this.field.scrollHeight / Math.max(1, this.field.value.split("\n").length);
    this.field.scrollTop = Math.max(0, (line - 4) * height);
  }
}

/**
 * The numbers from one to below another, a line each.
 * @param {number} from
 * @param {number} to
 */
function numbers(from, to) {
  let text = "";
  for (let i = from; i < to; i++) text += i + "\n";
  return document.createTextNode(text);
}
