// The fields of launch, macros and devices.
"use strict";

class Controls {
  /**
   * @param {View.Catalogue} catalogue
   * @param {PageState} state that the fields show and change
   * @param {() => void} changed
   */
  constructor(catalogue, state, changed) {
    this.state = state;
    this.changed = changed;
    /** @type {(() => void)[]} */
    this.refresh = [];
    const devices = catalogue.devices.map((d) => ({ value: d.name, text: d.title }));
    const names = (/** @type {string[]} */ list) =>
      [{ value: "", text: "of the device" }, ...list.map((v) => ({ value: v, text: v }))];
    this.kernel = this.choice("Kernel", "kernel", [], (v) => (state.kernel = v), () => state.kernel);
    this.kernel.hidden = true;
    this.arguments = el("p.hint", { id: "arguments-hint" });
    this.launch = el("p.hint", { id: "launch-hint" });
    this.node = el("div.controls", {}, this.kernel,
      el("fieldset", {}, el("legend", {}, "Device"),
        this.choice("Device", "device", devices, (v) => (state.devices[0] = v),
          () => state.devices[0] || catalogue.default),
        this.choice("Compare with", "device2", [{ value: "", text: "no other" }, ...devices],
          (v) => (state.devices[1] = v), () => state.devices[1] || "")),
      el("fieldset", {}, el("legend", {}, "Launch"),
        this.text("Macros", "defines", "BLOCK_SIZE=16", "defines"),
        this.text("Arguments", "args", "n=1024", "args", "arguments-hint"),
        this.text("Work group (block)", "local", "16x16", "local", "launch-hint"),
        this.text("Work items in all", "global", "1024x1024", "global", "launch-hint"), this.launch, this.arguments),
      el("details", {}, el("summary", {}, "Execution"), el("fieldset", {}, el("legend.hidden", {}, "Execution"),
        this.choice("Issue mode", "issue", names(catalogue.issue), (v) => (state.issue = v), () => state.issue),
        this.choice("Scheduler", "scheduler", names(catalogue.schedulers), (v) => (state.scheduler = v),
          () => state.scheduler),
        this.text("Issue limit", "limit", "instructions per cycle", "limit"),
        this.text("Resident groups", "concurrent", "of a compute unit", "concurrent"),
        this.text("λ and Λ", "rules", "ld.global:cpi=20,latency=400; ...", "rules"))));
  }

  /** Shows the state in all fields. */
  show() {
    for (const f of this.refresh) f();
  }

  /**
   * Shows what an answer says of the launch.
   * @param {View.Response} answer
   */
  describe(answer) {
    const select = /** @type {HTMLSelectElement} */ (this.kernel.querySelector("select"));
    const names = answer.kernels.map((k) => k.name);
    if (names.length) {
      this.kernel.hidden = names.length < 2;
      clear(select);
      const chosen = answer.devices.map((d) => d.kernel).find((k) => k) || this.state.kernel;
      if (!names.includes(chosen)) select.append(el("option", { value: chosen }, "choose"));
      select.append(...answer.kernels.map((k) => el("option", { value: k.name }, k.name + ", line " + k.line)));
      select.value = chosen;
    }
    const device = answer.devices.find((d) => d.launch);
    if (!device || !device.launch) return;
    this.launch.textContent = visible(device.launch.text);
    this.arguments.textContent = visible(device.arguments.length
      ? "Scalar arguments: " + device.arguments.map((a) => a.type + " " + a.name
        + (a.value ? " = " + a.value : "")).join(", ") : "");
  }

  /**
   * @param {string} label
   * @param {string} id
   * @param {{value: string, text: string}[]} options
   * @param {(value: string) => void} set
   * @param {() => string} get
   */
  choice(label, id, options, set, get) {
    const select = /** @type {HTMLSelectElement} */ (el("select", {
      id, onchange: () => {
        set(select.value);
        this.changed();
      },
    }, ...options.map((o) => el("option", { value: o.value }, o.text))));
    this.refresh.push(() => (select.value = get()));
    return el("div.field", {}, el("label", { for: id }, label), select);
  }

  /**
   * @param {string} label
   * @param {string} id
   * @param {string} example
   * @param {"defines" | "args" | "local" | "global" | "limit" | "concurrent" | "rules"} field of the state
   * @param {string} [hint] id of what describes the field
   */
  text(label, id, example, field, hint) {
    const input = /** @type {HTMLInputElement} */ (el("input", {
      id, type: "text", placeholder: example, spellcheck: "false", autocapitalize: "off", autocomplete: "off",
      "aria-describedby": hint,
      oninput: () => {
        this.state[field] = input.value.trim();
        this.changed();
      },
    }));
    this.refresh.push(() => (input.value = this.state[field]));
    return el("div.field", {}, el("label", { for: id }, label), input);
  }
}
