// Which source is edited: a built-in kernel, a file that was opened or dropped, or a changed text.
"use strict";

/** Extensions of sources and of what they include. */
const sourceFiles = ".cl,.cu,.cuh,.hip,.h,.hpp,.clh";

class Sources {
  /**
   * @param {View.Catalogue} catalogue
   * @param {(source: {builtin?: View.Kernel, file?: string, text?: string}) => void} chosen
   * @param {(why: string) => void} refused
   */
  constructor(catalogue, chosen, refused) {
    this.catalogue = catalogue;
    this.files = [...catalogue.sources];
    this.all = false; // whether all built-in kernels are offered
    /** @type {PageState | null} */
    this.state = null;
    this.chosen = chosen;
    this.refused = refused;
    this.select = /** @type {HTMLSelectElement} */ (el("select",
      { id: "source-choice", onchange: () => this.choose(this.select.value) }));
    const input = /** @type {HTMLInputElement} */ (el("input", {
      type: "file", multiple: true, accept: sourceFiles, hidden: true, "aria-label": "Files to open",
      onchange: () => this.read([...(input.files || [])]),
    }));
    this.node = el("div.sources", {}, el("label", { for: "source-choice" }, "Source"), this.select,
      el("button", { type: "button", onclick: () => input.click() }, "Open file"), input);
    document.addEventListener("dragover", (e) => e.preventDefault());
    document.addEventListener("drop", (e) => {
      e.preventDefault();
      if (e.dataTransfer) this.read([...e.dataTransfer.files]);
    });
    this.fill("");
  }

  /** @param {string} edited the name of a text that is none of the list; "" = none */
  fill(edited) {
    clear(this.select);
    if (edited) this.select.append(el("option", { value: "edited" }, edited + " (edited)"));
    if (this.files.length) {
      this.select.append(el("optgroup", { label: "Files" },
        ...this.files.map((f) => el("option", { value: "file:" + f.file }, f.file))));
    }
    const { kernels, first } = this.catalogue;
    const options = kernels.map((k) => el("option", { value: "builtin:" + k.name, title: k.summary }, k.name));
    this.select.append(el("optgroup", { label: "Built-in kernels" }, ...options.slice(0, first)),
      this.all ? el("optgroup", { label: "Papers and microbenchmarks" }, ...options.slice(first))
        : el("option", { value: "more" }, `more (${kernels.length - first})`));
  }

  /**
   * Shows which source a state has.
   * @param {PageState} state
   */
  show(state) {
    const file = this.files.find((f) => !state.builtin && f.file === state.file && f.text === state.text);
    this.all = this.all || this.catalogue.kernels.findIndex((k) => k.name === state.builtin) >= this.catalogue.first;
    this.fill(state.builtin || file ? "" : state.file || "source");
    this.state = state;
    this.select.value = state.builtin ? "builtin:" + state.builtin : file ? "file:" + file.file : "edited";
  }

  /** @param {string} value of an option */
  choose(value) {
    if (value === "more" && this.state) {
      this.all = true;
      this.show(this.state);
      const select = /** @type {any} */ (this.select); // TypeScript 4.8 does not know that lists can be opened
      if (select.showPicker && /** @type {any} */ (navigator).userActivation.isActive) select.showPicker();
      return;
    }
    const kernel = this.catalogue.kernels.find((k) => "builtin:" + k.name === value);
    const file = this.files.find((f) => "file:" + f.file === value);
    if (kernel) this.chosen({ builtin: kernel });
    else if (file) this.chosen(file);
  }

  /**
   * Reads files, and shows the first that is not a header.
   * @param {File[]} files
   */
  async read(files) {
    /** @type {{file: string, text: string}[]} */
    const list = [];
    for (const f of files) {
      if (f.size > this.catalogue.max_text) {
        this.refused(f.name + " has more than " + (this.catalogue.max_text >> 10) + " kB");
      }
      else list.push({ file: f.name, text: await f.text() });
    }
    this.files = [...this.files.filter((old) => !list.some((f) => f.file === old.file)), ...list];
    const first = list.find((f) => !/\.(h|hpp|clh)$/.test(f.file)) || list[0];
    if (first) this.chosen(first);
  }
}
