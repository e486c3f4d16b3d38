// The lessons: what each asks, what can be moved, and what it shows.
"use strict";

/**
 * A choice of a lesson, as in a macro of its kernel.
 * @typedef {{id: string, label: string, values: string[], value: string, texts?: string[]}} Choice
 */

/**
 * What is drawn over all values of a choice.
 * @typedef {{choice: string, x: string, y: string, of: (report: View.Report) => number,
 *   request: (chosen: Chosen) => View.Request, roof?: (chosen: Chosen, x: number) => number, bars?: boolean}} Sweep
 * roof: what is not exceeded; bars: values between those of the choice mean nothing
 */

/** @typedef {{[id: string]: string}} Chosen */

/**
 * @typedef {{id: string, title: string, question: string, hint: string, answer: string[], source: string,
 *   choices: Choice[], figure: "profile" | "lives" | "report", figureText: string,
 *   request: (chosen: Chosen) => View.Request, facts: (report: View.Report, page: Page.Data) => [string, string][],
 *   sweep: Sweep}} Lesson
 */

const lemeire = "Lemeire, Cornelis, Konstantinidis, Analysis of the analytical performance models for GPUs";
const volkov = "Volkov, Understanding latency hiding on GPUs (2016)";

/** @param {number} n */
const numbersTo = (n) => Array.from({ length: n }, (_, i) => String(i + 1));

/** @param {View.Report} r */
const issuedPerCycle = (r) => r.issued / r.cycles;

/**
 * What a compute unit issues of a line in a cycle.
 * @param {View.Report} r
 * @param {string} text of the line
 */
function issuedOf(r, text) {
  const line = r.lines.find((l) => l.text.includes(text));
  return line ? line.issued / r.cycles : 0;
}

/** @type {Lesson[]} */
const lessons = [
  {
    id: "latency-hiding", title: "Latency hiding",
    question: "One warp takes 25 cycles, and the memory is idle for most of them. "
      + "How many warps keep the memory busy all the time?",
    hint: "The memory takes a new access every 2 cycles, and each warp makes 2 accesses.",
    answer: [
      "Each warp occupies the memory for 2 x 2 = 4 cycles, so at most one warp in 4 cycles can finish: "
      + "0.25 warps per cycle.",
      "By Little's law, 25 cycles of latency x 0.25 warps per cycle = 6.25 warps must be resident: "
      + "7 are enough in theory.",
      "The simulation needs some more, because the warps get in each other's way. "
      + "With 10 warps the memory is idle only while it fills and drains.",
    ],
    source: lemeire + ", Figs. 8 and 9 (1, 2, 4 and 10 warps) and 14 (the curve)",
    choices: [{ id: "warps", label: "Warps", values: numbersTo(16), value: "1" },
      { id: "scheduler", label: "Scheduler", values: ["rr", "oldest"], value: "rr",
        texts: ["round robin", "oldest first"] }],
    figure: "profile", figureText: "When each instruction occupies its pipeline, and what each warp does.",
    request: (c) => ({ example: "article", unit_groups: Number(c.warps), concurrent: Number(c.warps),
      scheduler: c.scheduler }),
    facts: (r) => [["Time", grouped(r.cycles) + " cycles for " + count(r.groups, "warp")],
      ["Memory busy", percent(busy(r, "mem"))]],
    sweep: {
      choice: "warps", x: "warps", y: "warps per cycle", of: (r) => r.groups / r.cycles, roof: () => 0.25,
      request: (c) => ({ example: "article", unit_groups: 400, concurrent: Number(c.warps), scheduler: c.scheduler }),
    },
  },
  {
    id: "occupancy", title: "Occupancy",
    question: "A compute unit has room for 64 warps. Are there 64 all the time?",
    hint: "A new group of 4 warps starts only when all 4 warps of an old one have finished.",
    answer: [
      "At first the groups start and end together, and the number of resident warps drops each time. "
      + "Later they fall out of step.",
      "Mean occupancy = mean latency of a warp x throughput (Little's law). More resident warps raise the "
      + "throughput only until something is saturated; from then on each warp only takes longer.",
    ],
    source: volkov + ", Figs. 3.3 and 5.1, on the same GPU. The simulation has no random latencies, "
      + "so its groups stay in step for longer.",
    choices: [{ id: "groups", label: "Resident groups of 4 warps", values: numbersTo(16), value: "16" },
      { id: "alpha", label: "Additions for each read", values: ["1", "4", "16", "64"], value: "4" }],
    figure: "lives", figureText: "Each line is the life of a warp. Below: how many are resident.",
    request: occupancyRequest,
    facts: (r, page) => {
      if (!page.timeline) return [];
      const l = livesOf(page.timeline);
      return [["Mean occupancy", significant(l.mean) + " warps"], ["Mean latency", grouped(l.latency) + " cycles"],
        ["Throughput", significant(l.throughput * 1000) + " warps in 1,000 cycles"],
        ["Latency x throughput", significant(l.latency * l.throughput) + " warps"]];
    },
    sweep: {
      choice: "groups", x: "resident groups of 4 warps", y: "warps in 1,000 cycles",
      of: (r) => r.groups * r.warps_per_group / r.cycles * 1000,
      request: occupancyRequest,
    },
  },
  {
    id: "ilp", title: "Parallelism within a warp",
    question: "Few warps are resident. Can one warp hide its own latency?",
    hint: "The kernel has 1, 2 or 4 chains of multiply-adds. "
      + "Instructions of different chains do not wait for each other.",
    answer: [
      "With c independent chains a warp has c instructions in flight. The rate at few warps is c times as high, "
      + "and the peak is reached with a c-th of the warps.",
      "The product of warps and chains has to reach latency x throughput. Above it, neither helps.",
    ],
    source: volkov + ", Fig. 6.2, which shows the same for reads of memory",
    choices: [{ id: "chains", label: "Chains in a work item", values: ["1", "2", "4"], value: "1" },
      { id: "warps", label: "Resident groups of 1 warp", values: ["1", "2", "4", "8", "16", "24", "32"], value: "4" }],
    figure: "profile", figureText: "When each instruction occupies its pipeline, and what each warp does.",
    request: ilpRequest,
    facts: (r) => [["Rate", significant(issuedPerCycle(r)) + " warp instructions per cycle"]],
    sweep: { choice: "warps", x: "warps", y: "warp instructions per cycle", of: issuedPerCycle,
      request: ilpRequest },
  },
  {
    id: "issue-limit", title: "Issue limit",
    question: "Additions and cosines go to different pipelines. Why do they still slow each other down?",
    hint: "All warps of a compute unit share its issue slots. "
      + "An addition keeps its pipeline busy for 1 cycle, a cosine for 4.",
    answer: [
      "With β additions for each cosine the cosines allow β / 4 additions per cycle, "
      + "and the additions' own pipeline 1.",
      "With an issue limit of 1 instruction per cycle the cosines take slots of the additions: "
      + "at most β / (β + 1) additions per cycle. Near β = 4 that costs most.",
      "The grey line is the lowest of these bounds. With a limit of 2 the slots are never short.",
    ],
    source: lemeire + ", Fig. 12 and Eqs. 43 to 45 (λ 1 and 4)",
    choices: [{ id: "beta", label: "β, additions for each cosine",
      values: ["1", "2", "3", "4", "5", "6", "8", "12", "16"], value: "4" },
      { id: "limit", label: "Issue limit", values: ["1", "2"], value: "1", texts: ["1 per cycle", "2 per cycle"] }],
    figure: "report", figureText: "",
    request: issueRequest,
    facts: (r) => [["Additions", significant(issuedOf(r, "r + step")) + " per cycle"],
      ["Issue slots used", percent(r.issue_utilization)]],
    sweep: {
      choice: "beta", x: "β, additions for each cosine", y: "additions per cycle", of: (r) => issuedOf(r, "r + step"),
      request: issueRequest,
      roof: (c, beta) => Math.min(1, beta / 4, c.limit === "1" ? beta / (beta + 1) : 1),
    },
  },
  {
    id: "dual-pipeline", title: "Two pipelines",
    question: "Computations and reads of memory go through a pipeline each. Which of the two keeps the kernel busy, "
      + "and how many warps does that take?",
    hint: "A read keeps the memory busy for 7.5 cycles, an addition its own pipeline for a quarter of one.",
    answer: [
      "With 30 additions to a read both pipelines are busy for the same time: the kernel is balanced. With fewer the "
      + "memory decides, with more the computations.",
      "At few warps latency decides, whatever the mix. The balanced kernel needs the most warps: "
      + "both pipelines have to be busy all the time.",
    ],
    source: "Lemeire, GPU Computing, lesson 4: balanced, communication-bound and computation-bound graphs; " + volkov
      + ", Fig. 4.5",
    choices: [{ id: "alpha", label: "Additions for each read", values: ["8", "30", "120"], value: "30",
      texts: ["8: communication-bound", "30: balanced", "120: computation-bound"] },
    { id: "groups", label: "Resident groups of 4 warps", values: numbersTo(16), value: "4" }],
    figure: "profile", figureText: "When each instruction occupies its pipeline, and what each warp does.",
    request: occupancyRequest,
    facts: (r) => [["Computations busy", percent(busy(r, "alu"))], ["Memory busy", percent(busy(r, "global"))]],
    sweep: {
      choice: "groups", x: "resident groups of 4 warps", y: "warps in 1,000 cycles",
      of: (r) => r.groups * r.warps_per_group / r.cycles * 1000, request: occupancyRequest,
      roof: (c) => 1000 / (4 * Math.max(7.47, (Number(c.alpha) + 1) / 4)),
    },
  },
  {
    id: "barrier", title: "Barriers",
    question: "16 warps add, and meet at a barrier after each addition. What does that cost, and why is one large "
      + "group slower than many small ones?",
    hint: "A barrier lets nobody pass before all warps of its group have arrived.",
    answer: [
      "Without barriers the size of a group makes no difference: the warps hide each other's latency.",
      "With them every warp waits for the last one of its group. Small groups fill the pipeline for each other "
      + "meanwhile; with one group of 16 warps nobody is left to do so.",
    ],
    source: "Lemeire, GPU Computing, lesson 4: models with and without barrier; " + lemeire + ", Figs. 15 and 16",
    choices: [{ id: "kernel", label: "Kernel", values: ["add-dependent", "barrier"], value: "barrier",
      texts: ["without barriers", "with barriers"] },
    { id: "warps", label: "Warps of a group", values: ["1", "2", "4", "8", "16"], value: "16" }],
    figure: "profile", figureText: "When each instruction occupies its pipeline, and what each warp does.",
    request: barrierRequest,
    facts: (r) => [["Time", grouped(r.cycles) + " cycles"], ["Additions' pipeline busy", percent(busy(r, "alu"))]],
    sweep: { choice: "warps", x: "warps of a group", y: "cycles", of: (r) => r.cycles, request: barrierRequest },
  },
  {
    id: "bank-conflicts", title: "Bank conflicts",
    question: "The lanes of a warp read words of local memory that lie STRIDE apart. Which strides are slow?",
    hint: "There are 32 banks. Words that are 32 apart are in the same one.",
    answer: [
      "With a stride s, gcd(s, 32) lanes share a bank, and the read takes so many passes: "
      + "its λ grows by that factor.",
      "Odd strides have no conflicts. That is why a column of padding helps a tile of 32 x 32: "
      + "it makes the stride 33.",
    ],
    source: lemeire + ", section 6.3 (λ grows with the conflict degree D); " + volkov + ", 2.6",
    choices: [{ id: "stride", label: "STRIDE, words",
      values: ["1", "2", "3", "4", "6", "8", "12", "16", "17", "24", "31", "32"], value: "1" }],
    figure: "report", figureText: "",
    request: strideRequest,
    facts: (r) => [["Time", significant(r.seconds * 1e6) + " µs"], ["Local memory busy", percent(busy(r, "shared"))]],
    sweep: {
      choice: "stride", bars: true, x: "STRIDE, words", y: "time, µs", of: (r) => r.seconds * 1e6,
      request: strideRequest,
    },
  },
  {
    id: "unrolling", title: "Unrolling",
    question: "What does a larger unroll factor save in the inner loop of a matrix product, and when does it stop?",
    hint: "Each iteration of the rolled loop executes an addition, a comparison and a branch beside its work.",
    answer: [
      "A factor f leaves one f-th of the loop's own instructions. "
      + "Most of the saving comes from the first factors.",
      "When the loads of local memory are what limits the kernel, less loop overhead saves nothing more.",
    ],
    source: "The pipeline performance model (2019), Listing 1, in which the inner loop is unrolled completely",
    choices: [{ id: "factor", label: "Unroll factor, inner loop", values: ["1", "2", "4", "8", "16"], value: "1" },
      { id: "tile", label: "BLOCK_SIZE", values: ["8", "16"], value: "16" }],
    figure: "report", figureText: "",
    request: unrollRequest,
    facts: (r) => [["Time", significant(r.seconds * 1e3) + " ms"], ["Warp instructions", grouped(r.issued)],
      ["Busiest", busiest(r)]],
    sweep: { choice: "factor", x: "unroll factor", y: "time, ms", of: (r) => r.seconds * 1e3, request: unrollRequest },
  },
];

/**
 * @param {Chosen} c
 * @returns {View.Request}
 */
function occupancyRequest(c) {
  return {
    builtin: "mix-global", devices: ["gtx680"], local: "128", defines: ["ALPHA=" + c.alpha, "REPEAT=4"],
    unit_groups: 64, concurrent: Number(c.groups),
  };
}

/**
 * @param {Chosen} c
 * @returns {View.Request}
 */
function strideRequest(c) {
  return { builtin: "local-read", devices: ["gtx1060"], defines: ["STRIDE=" + c.stride] };
}

/**
 * @param {Chosen} c
 * @returns {View.Request}
 */
function ilpRequest(c) {
  const names = /** @type {Chosen} */ ({ 1: "madd-dependent", 2: "madd-2", 4: "madd-4" });
  const warps = Number(c.warps);
  return { builtin: names[c.chains], devices: ["gtx1060"], local: "32", defines: ["N=32"], unit_groups: 4 * warps,
    concurrent: warps };
}

/**
 * @param {Chosen} c
 * @returns {View.Request}
 */
function barrierRequest(c) {
  const warps = Number(c.warps);
  return { builtin: c.kernel, devices: ["gtx680"], local: String(32 * warps), defines: ["N=64"],
    unit_groups: 32 / warps, concurrent: 16 / warps };
}

/**
 * @param {Chosen} c
 * @returns {View.Request}
 */
function issueRequest(c) {
  return { builtin: "mix", devices: ["gtx480"], defines: ["BETA=" + c.beta], issue_limit: c.limit,
    rules: ["add.f32:cpi=1", "native_cos.f32:cpi=4"] };
}

/**
 * @param {Chosen} c
 * @returns {View.Request}
 */
function unrollRequest(c) {
  return { builtin: "mmul", devices: ["gtx1060"], defines: ["BLOCK_SIZE=" + c.tile],
    unroll: [{ loop: 1, factor: Number(c.factor) }] };
}

/**
 * The share of the time for which a subsystem is busy.
 * @param {View.Report} r
 * @param {string} title
 */
function busy(r, title) {
  const s = r.subsystems.find((s) => s.title === title || s.name === title);
  return s ? s.utilization : 0;
}

/**
 * The subsystem that is busy for longest.
 * @param {View.Report} r
 */
function busiest(r) {
  const top = r.subsystems.reduce((a, b) => (b.utilization > a.utilization ? b : a));
  return `${top.title}, for ${percent(top.utilization)} of the time`;
}

/** @param {number} share */
function percent(share) {
  return Math.round(share * 100) + "%";
}
