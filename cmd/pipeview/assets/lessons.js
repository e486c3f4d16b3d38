// The page of lessons: one is chosen, its controls lead to requests, and what they answer is drawn.
"use strict";

class LessonPage {
  constructor() {
    this.list = el("nav.lesson-list", { "aria-label": "Lessons" });
    this.text = el("div.lesson");
    this.source = el("details.kernel");
    this.facts = el("dl.readings", { "aria-live": "polite" });
    this.figure = el("section.part", { "aria-label": "Figure" });
    this.curve = el("section.part", { "aria-label": "Curve" });
    this.watched = el("section.part", { "aria-label": "Watch it run" }, el("h2", {}, "Watch it run"));
    /** @type {Map<string, string>} rules for λ and Λ, by selector */
    this.rules = new Map();
    this.watch = new Watch(this.watched, (rule, selector) => {
      this.rules.set(selector, rule);
      this.ask();
    });
    this.status = /** @type {HTMLElement} */ (document.getElementById("status"));
    this.lesson = lessons[0];
    /** @type {Chosen} */
    this.chosen = {};
    this.turn = 0; // counts what is asked for: an outdated curve is given up
    this.drawn = ""; // which curve
    /** @type {Map<string, number>} values of curves, by request */
    this.known = new Map();
    /** @type {HTMLElement} */ (document.getElementById("lesson")).append(this.list, this.text, this.source);
    const main = /** @type {HTMLElement} */ (document.getElementById("shown"));
    clear(main);
    main.append(this.facts, this.figure, this.curve, this.watched);
    window.addEventListener("hashchange", () => this.open());
    this.open();
  }

  /** Opens the lesson of the address, with its choices: #latency-hiding&warps=4 */
  open() {
    const [id, ...pairs] = location.hash.replace(/^#/, "").split("&");
    const lesson = lessons.find((l) => l.id === id) || lessons[0];
    const given = new URLSearchParams(pairs.join("&"));
    /** @type {Chosen} */
    const chosen = {};
    for (const c of lesson.choices) {
      const value = given.get(c.id) || "";
      chosen[c.id] = c.values.includes(value) ? value : c.value;
    }
    const same = lesson === this.lesson && JSON.stringify(chosen) === JSON.stringify(this.chosen);
    if (same && this.text.firstChild) return;
    this.lesson = lesson;
    this.chosen = chosen;
    this.rules.clear();
    this.watch.pause();
    this.watch.cycle = 0;
    this.write();
    this.ask();
  }

  /** Writes the texts and the controls. */
  write() {
    const { lesson } = this;
    clear(this.list);
    this.list.append(...lessons.map((l, i) =>
      el("a", { href: "#" + l.id, "aria-current": l === lesson ? "true" : null }, `${i + 1} ${l.title}`)));
    clear(this.text);
    this.text.append(
      el("h2", {}, lesson.title), el("p.asked", {}, lesson.question), el("p.hint", {}, lesson.hint),
      ...lesson.choices.map((c) => this.control(c)),
      el("details.solution", {}, el("summary", {}, "Answer"), ...lesson.answer.map((t) => el("p", {}, t))),
      el("p.hint", {}, "Source: " + lesson.source));
    document.title = "pipeview: " + lesson.title.toLowerCase();
  }

  /**
   * A slider over the values of a choice.
   * @param {Choice} choice
   */
  control(choice) {
    const name = (/** @type {string} */ value) => (choice.texts ? choice.texts[choice.values.indexOf(value)] : value);
    const id = "choice-" + choice.id, output = el("output", { for: id }, name(this.chosen[choice.id]));
    const slider = /** @type {HTMLInputElement} */ (el("input", {
      id, type: "range", min: 0, max: choice.values.length - 1, step: 1,
      value: choice.values.indexOf(this.chosen[choice.id]), "aria-valuetext": name(this.chosen[choice.id]),
      oninput: () => {
        const value = choice.values[Number(slider.value)];
        this.chosen[choice.id] = value;
        output.textContent = name(value);
        slider.setAttribute("aria-valuetext", name(value));
        history.replaceState(null, "", "#" + this.lesson.id + lessonFields(this.chosen));
        this.ask();
      },
    }));
    return el("div.factor", {}, el("label", { for: id }, choice.label), slider, output);
  }

  /** Asks for what is chosen, then for the points of the curve. */
  async ask() {
    const turn = ++this.turn, { lesson, chosen } = this;
    engine.cancel();
    for (const node of [this.facts, this.figure, this.watched]) node.classList.add("outdated");
    this.beginCurve();
    this.status.textContent = "predicting";
    try {
      let page = false;
      await engine.evaluate({ ...this.withRules(lesson.request(chosen)), page: true, brief: true }, (answer) => {
        page = page || turn === this.turn && this.show(answer);
      });
      if (turn !== this.turn) return;
      if (page) await this.sweep(turn);
    } catch (why) {
      if (turn === this.turn) this.status.textContent = visible(why instanceof Error ? why.message : String(why));
    }
  }

  /**
   * @param {View.Request} request
   * @returns {View.Request}
   */
  withRules(request) {
    return { ...request, rules: [...(request.rules || []), ...this.rules.values()] };
  }

  /**
   * Shows an answer, if it is whole.
   * @param {View.Response} answer
   */
  show(answer) {
    const device = answer.devices && answer.devices[0];
    const errors = (answer.diagnostics || []).filter((d) => d.severity === "error").map((d) => d.message);
    const wrong = answer.error || errors[0];
    if (wrong) this.status.textContent = visible(wrong);
    if (!device || !device.page || !device.report) return false;
    const { lesson } = this, { page, report } = device;
    clear(this.facts);
    for (const [name, text] of lesson.facts(report, page)) {
      this.facts.append(el("div", {}, el("dt", {}, name), el("dd", {}, text)));
    }
    clear(this.figure);
    this.figure.hidden = lesson.figure === "report" || !page.timeline;
    if (page.timeline && lesson.figure !== "report") {
      const into = el("div.plots");
      const title = lesson.figure === "lives" ? "Warps over time" : "Execution profile";
      this.figure.append(el("h2", {}, title), el("p.about", {}, lesson.figureText), into);
      if (lesson.figure === "lives") drawLives(into, page.timeline);
      else {
        into.className = "";
        drawTimeline(into, page.timeline, new Hub());
      }
    }
    this.showSource(page.source);
    this.watched.hidden = !page.timeline;
    this.watch.show(page);
    for (const node of [this.facts, this.figure, this.watched]) node.classList.remove("outdated");
    this.status.textContent = "predicted";
    return true;
  }

  /** @param {string[]} lines of the kernel */
  showSource(lines) {
    const text = lines.map((line, i) => String(i + 1).padStart(3) + "  " + line).join("\n");
    this.source.hidden = lines.join("") === "";
    if (this.source.textContent !== "Kernel" + text) {
      clear(this.source);
      this.source.append(el("summary", {}, "Kernel"), el("pre", { tabindex: 0, "aria-label": "Source of the kernel" }));
      /** @type {HTMLElement} */ (this.source.lastChild).textContent = text;
    }
  }

  /** Takes a curve away that is not of what is chosen: but for the choice along it. */
  beginCurve() {
    const { lesson, chosen } = this, { sweep } = lesson;
    delete this.curve.dataset.points;
    const curve = lesson.id + JSON.stringify(this.withRules(sweep.request({ ...chosen, [sweep.choice]: "1" })));
    if (curve === this.drawn) return;
    this.drawn = curve;
    clear(this.curve);
    this.curve.append(el("h2", {}, capital(sweep.y)), el("p.about", {}, "simulating"));
  }

  /**
   * Draws the curve of the lesson, point by point.
   * @param {number} turn
   */
  async sweep(turn) {
    const { lesson, chosen } = this, { sweep } = lesson;
    const choice = /** @type {Choice} */ (lesson.choices.find((c) => c.id === sweep.choice));
    const here = Number(chosen[choice.id]);
    /** @type {{x: number, y: number}[]} */
    const points = [];
    for (const value of choice.values) {
      const request = this.withRules(sweep.request({ ...chosen, [choice.id]: value }));
      const key = lesson.id + JSON.stringify(request);
      if (!this.known.has(key)) {
        await engine.evaluate(request, (answer) => {
          const report = answer.devices && answer.devices[0] && answer.devices[0].report;
          if (report) this.known.set(key, sweep.of(report));
        });
        if (turn !== this.turn) return;
      }
      const y = this.known.get(key);
      if (y !== undefined) points.push({ x: Number(value), y });
      if (points.length > 1) this.drawCurve(points, choice.values.map(Number), here);
    }
    this.curve.dataset.points = JSON.stringify(points);
  }

  /**
   * @param {{x: number, y: number}[]} points
   * @param {number[]} all x, of points that are to come, too
   * @param {number} here
   */
  drawCurve(points, all, here) {
    const { sweep } = this.lesson, { roof } = sweep;
    clear(this.curve);
    const into = el("div.plots");
    const most = roof ? all.map((x) => /** @type {[number, number]} */ ([x, roof(this.chosen, x)])) : [];
    drawSweep(into, points, all, here, { x: sweep.x, y: sweep.y, most, bars: sweep.bars });
    this.curve.append(el("h2", {}, capital(sweep.y)), into);
  }
}

/** @param {Chosen} chosen */
function lessonFields(chosen) {
  return Object.entries(chosen).map(([id, value]) => `&${id}=${value}`).join("");
}

/** @param {string} text */
function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

new LessonPage();
