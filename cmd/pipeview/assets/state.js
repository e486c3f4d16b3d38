// What the page is about: the source, its launch, the devices and the choices.
"use strict";

/**
 * Texts are as the flags of the commands take them; empty ones leave the default. A source is a built-in kernel
 * that is unchanged (builtin), or a text.
 */
class PageState {
  constructor() {
    this.builtin = "";
    this.file = "";
    this.text = "";
    this.kernel = "";
    this.defines = "";
    this.local = "";
    this.global = "";
    this.args = "";
    /** @type {string[]} */
    this.devices = [];
    this.issue = "";
    this.scheduler = "";
    this.limit = "";
    this.concurrent = "";
    this.rules = "";
    /** @type {Map<number, number>} */
    this.factors = new Map(); // by loop
  }

  /**
   * The request that asks for this.
   * @param {{file: string, text: string}[]} sources that #include finds
   * @returns {View.Request}
   */
  request(sources) {
    /** @type {View.Request} */
    const r = { page: true, defines: words(this.defines), devices: this.devices.filter((d) => d) };
    if (this.builtin) {
      r.builtin = this.builtin;
    } else {
      r.file = this.file;
      r.text = this.text;
      if (/#\s*include/.test(this.text)) {
        r.files = Object.fromEntries(sources.filter((s) => s.file !== this.file).map((s) => [s.file, s.text]));
      }
    }
    if (this.kernel) r.kernel = this.kernel;
    if (this.local) r.local = this.local;
    if (this.global) r.global = this.global;
    if (this.args) r.args = words(this.args);
    if (this.issue) r.issue = this.issue;
    if (this.scheduler) r.scheduler = this.scheduler;
    if (this.limit) r.issue_limit = this.limit;
    if (this.concurrent) r.concurrent = Math.max(0, Math.floor(Number(this.concurrent)) || 0);
    if (this.rules) r.rules = this.rules.split(/\s*[;\n]\s*/).filter((s) => s);
    r.unroll = [...this.factors].map(([loop, factor]) => ({ loop, factor }));
    return r;
  }
}

/** @param {string} text */
function words(text) {
  return text.split(/\s+/).filter((s) => s);
}
