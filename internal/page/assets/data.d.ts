// Made from the types of Data by go test ./internal/page -run TestTypes -update.
declare namespace Page {
  interface SourceDocument {
    file: string;
    dialect: string;
    sha256: string;
    defines: string[];
  }
  interface LaunchDocument {
    local: number[];
    groups: number[];
    warp_size: number;
  }
  interface DeviceDocument {
    name: string;
    title: string;
    architecture: string;
    compute_units: number;
    clock_hz: number;
  }
  interface SpilledDocument {
    bytes: number;
    stores: number;
    loads: number;
    lines: number[];
  }
  interface BottleneckDocument {
    subsystem: string;
    file?: string;
    line?: number;
    needed_warps: number;
    text: string;
  }
  interface CauseDocument {
    code: string;
    subsystem?: string;
    file?: string;
    line?: number;
    cycles: number;
  }
  interface UseDocument {
    name: string;
    unit: string;
    amount: number;
    per_second: number;
    peak_per_second: number;
  }
  interface RoofDocument {
    uses: UseDocument[];
    intensity?: number;
  }
  interface LowerBoundsDocument {
    throughput: number;
    subsystem: string;
    issue: number;
    latency: number;
    reads: number;
    starts: number;
  }
  interface SubsystemDocument {
    name: string;
    title: string;
    issued: number;
    busy_cycles: number;
    utilization: number;
  }
  interface LineDocument {
    file: string;
    line: number;
    text: string;
    issued: number;
    subsystem: string;
    busy_cycles: number;
    share: number;
    critical_cycles: number;
    waited_cycles: number;
    queued_cycles: number;
  }
  interface WarpDocument {
    resident_cycles: number;
    latency_cycles: number;
    barrier_cycles: number;
    queued_cycles: number;
  }
  interface TrafficDocument {
    read_bytes: number;
    written_bytes: number;
    compulsory_read_bytes: number;
    compulsory_written_bytes: number;
    compulsory_estimated: boolean;
    partial?: boolean;
  }
  interface ContentionDocument {
    accesses: number;
    unloaded_cycles: number;
    mean_cycles: number;
    longest_cycles: number;
  }
  interface MemoryDocument {
    traffic?: TrafficDocument;
    contention?: ContentionDocument;
  }
  interface SamplingDocument {
    asked: number;
    bound: number;
    waves: number;
  }
  interface KindDocument {
    groups: number;
    simulated: number;
  }
  interface ChargeDocument {
    subsystem: string;
    cpi: number;
  }
  interface InstructionDocument {
    file: string;
    line: number;
    column: number;
    op: string;
    buffer?: string;
    lanes: number;
    subsystem: string;
    cpi: number;
    latency: number;
    second?: ChargeDocument;
    transactions?: number;
    R?: number;
    D?: number;
    entry: string;
    source: string;
    fallback?: string;
    assumed?: string;
  }
  interface LinkDocument {
    op: string;
    file: string;
    line: number;
    times: number;
    at_cycle: number;
    waited_cycles: number;
    queued_cycles: number;
    order: boolean;
  }
  interface Document {
    format: string;
    version: number;
    kernel: string;
    source: SourceDocument;
    launch: LaunchDocument;
    device: DeviceDocument;
    cycles: number;
    seconds: number;
    launch_seconds: number;
    groups: number;
    concurrent_groups: number;
    warps_per_group: number;
    occupancy_warps: number;
    occupancy_limit: string;
    registers: number;
    registers_estimated: boolean;
    max_warps: number;
    spilled?: SpilledDocument;
    issued: number;
    warps_per_cycle: number;
    issue_utilization: number;
    read_utilization: number;
    bound: string;
    bottleneck: BottleneckDocument;
    causes: CauseDocument[];
    roof?: RoofDocument;
    lower_bounds: LowerBoundsDocument;
    subsystems: SubsystemDocument[];
    lines: LineDocument[];
    warp: WarpDocument;
    device_memory?: MemoryDocument;
    simulated_groups: number;
    extrapolated: boolean;
    sampling?: SamplingDocument;
    kinds: KindDocument[];
    assumptions: string[];
    instructions?: InstructionDocument[];
    critical?: LinkDocument[];
  }
  interface Fact {
    name: string;
    text: string;
    line: number;
  }
  interface Finding {
    code: string;
    line: number;
    column: number;
    head: string;
    what: string;
    proof: string;
    remedy: string;
    seconds: number;
    saved: number;
  }
  interface Column {
    code: string;
    subsystem: number;
    title: string;
    text: string;
    share: number;
  }
  interface Cell {
    column: number;
    text: string;
    share: number;
  }
  interface Line {
    line: number;
    place: string;
    text: string;
    share: number;
    cells: Cell[];
  }
  interface Instruction {
    op: string;
    line: number;
    column: number;
    buffer: string;
    access: string;
    classes: number;
    lanes: number;
    subsystem: number;
    cpi: string;
    latency: string;
    transactions: number;
    issued: string;
    waited: string;
    queued: string;
    waitsFor: number[];
    source: string;
    assumed: string;
  }
  interface Subsystem {
    name: string;
    title: string;
    busy: string;
    share: number;
    issued: string;
    bound: boolean;
  }
  interface Pipeline {
    subsystem: number;
    core: number;
    title: string;
  }
  interface Class {
    instruction: number;
    op: string;
    line: number;
    subsystem: number;
    hold: number;
    latency: number;
    second: number;
    secondHold: number;
    barrier: boolean;
  }
  interface Timeline {
    unit: number;
    end: number;
    whole: boolean;
    pipelines: Pipeline[];
    classes: Class[];
    lives: number[][];
    at: number[];
    place: number[];
    class: number[];
    queued: number[];
    waited: number[];
    turn: number[];
    apart: number[];
    longer: number[];
  }
  interface Node {
    instruction: number;
    count: number;
    critical: number;
    layer: number;
    slot: number;
  }
  interface Edge {
    from: number;
    to: number;
    kind: string;
    carried: boolean;
    critical: boolean;
  }
  interface View {
    title: string;
    nodes: Node[];
    edges: Edge[];
  }
  interface Iteration {
    title: string;
    line: number;
    instructions: number;
    cycles: number;
    views: View[];
  }
  interface Peak {
    name: string;
    rate: number;
  }
  interface RoofPoint {
    memory: string;
    intensity: number;
    rate: number;
  }
  interface Roofline {
    peaks: Peak[];
    memory: Peak[];
    points: RoofPoint[];
  }
  interface OccupancyPoint {
    warps: number;
    rate: number;
  }
  interface Occupancy {
    warps: number;
    most: number;
    per: number;
    roof: number;
    bound: string;
    model: OccupancyPoint[];
    simulated: OccupancyPoint[];
  }
  interface Assumption {
    text: string;
    line: number;
    advice: string;
  }
  interface Data {
    format: string;
    version: number;
    title: string;
    about: string[];
    report: Document;
    facts: Fact[];
    findings: Finding[];
    shown: number;
    nothing: string;
    source: string[];
    columns: Column[];
    rest: string;
    lines: Line[];
    instructions: Instruction[];
    subsystems: Subsystem[];
    timeline: Timeline | null;
    noTimeline: string;
    iterations: Iteration[];
    roofline: Roofline | null;
    occupancy: Occupancy | null;
    assumptions: Assumption[];
  }
}
