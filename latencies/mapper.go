package latencies

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/internal/diag"
	"gpupipe/internal/target"
)

// Mapper is the mapper g of one device: it chooses a subsystem, a CPI λ
// and a latency Λ for each instruction class of a graph. It may be used for any number
// of graphs, also at the same time.
type Mapper struct {
	dev   *Device
	rules []Rule
	index map[string]int // Device.Instructions by Match
}

// NewMapper returns the mapper of a device with the given rules (--set). Where
// several rules pick one instruction, each parameter comes from the most specific
// rule that gives it, and from the last of equally specific ones.
func NewMapper(dev *Device, rules []Rule) (*Mapper, error) {
	if dev == nil {
		return nil, diag.Errorf(diag.Pos{}, "NO-DEVICE", "no device is given")
	}
	m := &Mapper{dev: dev, rules: slices.Clone(rules), index: make(map[string]int, len(dev.Instructions))}
	for i := range dev.Instructions {
		m.index[dev.Instructions[i].Match] = i
	}
	for _, r := range rules {
		if r.CPI.IsZero() && r.Latency.IsZero() && r.Subsystem == "" && r.Addresses == 0 && r.Within == 0 &&
			!r.Issue.Given && !r.Reissue.Given && r.Module == (Module{}) {
			return nil, diag.Errorf(diag.Pos{}, "SET", "the rule %q changes nothing", r.Text)
		}
	}
	return m, nil
}

// Map is MapWith the zero Options.
func (m *Mapper) Map(g *idg.Graph) (*Mapping, error) { return m.MapWith(g, Options{}) }

// MapWith maps all instruction classes of a graph. Ops for which the device has
// neither an entry nor a fallback are reported together as a diag.List. The options
// matter only where the graph tells its locality.
func (m *Mapper) MapWith(g *idg.Graph, o Options) (*Mapping, error) {
	out := &Mapping{Device: m.dev, Entries: make([]Entry, len(g.Instrs()))}
	for i := range m.dev.Subsystems {
		out.Subsystems = append(out.Subsystems, m.dev.Subsystems[i].Name)
	}
	run := mapping{
		Mapper: m, out: out, resolved: map[string]*resolution{}, paths: make([]path, len(g.Instrs())),
		used: make([]bool, len(m.rules)), refused: map[*Rule]bool{},
	}
	instrs := g.Instrs()
	o = o.withDefaults(m.dev, g)
	accesses := m.dev.Memory.accesses(g, o.Consecutive)
	if o.Instead != nil {
		instrs = slices.Clone(instrs)
		for i := range instrs {
			instrs[i], accesses[i] = o.Instead(idg.InstrID(i+1), instrs[i], accesses[i])
		}
	}
	set, ratios, patterns := make([]chosen, len(instrs)), map[idg.InstrID]Cycles{}, make([]reached, len(instrs))
	bounded := newElementPerItem(g, accesses)
	for i := range instrs {
		set[i] = run.rulesFor(&instrs[i], g.Access(instrs[i].Access))
		set[i].scattered, set[i].coalesced = o.Scattered, o.Coalesced
		patterns[i] = set[i].reach(accesses[i], bounded)
		accesses[i] = patterns[i].a
		if r := set[i].module().Ratio; r.Known {
			ratios[idg.InstrID(i+1)] = r.Value
		}
	}
	run.checkModules(g)
	run.levels = newHierarchy(m.dev, g, o, ratios, patterns)
	for i := range instrs {
		run.instr(&out.Entries[i], idg.InstrID(i+1), &instrs[i], accesses[i], set[i])
	}
	if err := run.errs.Err(); err != nil {
		return nil, err
	}
	if run.levels != nil {
		run.chargeBusiest(g)
	}
	run.forDependents(g)
	run.warn(g)
	if o.Warm {
		run.warnOfWarm()
	}
	out.Traffic = run.levels.traffic(g)
	if run.levels != nil {
		out.UnitsAtWork = run.levels.atWork
	}
	return out, nil
}

// mapping is the state of one call of Map.
type mapping struct {
	*Mapper
	out      *Mapping
	resolved map[string]*resolution // by op and access type
	used     []bool                 // by rule: it matched
	refused  map[*Rule]bool         // its R or D cannot be
	levels   *hierarchy             // nil = the graph has no locality
	paths    []path                 // by class
	earlier  []forwarded            // of classes
	errs     diag.List
}

// resolution is what the device's entries make of an op, whatever its context.
type resolution struct {
	subsystem SubsystemID
	timing    Timing
	more      int // issue slots beyond one
	earlier   []forwarded
	matched   string
	sources   []string
	steps     []string // of the fallback chain, none for a direct match
	missing   string   // the op that has no entry, when there is no timing
}

// instr fills the entry of one instruction class.
func (m *mapping) instr(e *Entry, id idg.InstrID, in *idg.Instr, a *idg.Access, set chosen) {
	r := m.resolve(in.Op, in.Type)
	if r.missing != "" && in.IsIssueOnly() {
		r = m.issueSlot(in.Op)
	}
	if r.missing != "" {
		m.unmapped(e, in, a, set)
		return
	}
	*e = Entry{Subsystem: r.subsystem, Timing: r.timing, Matched: r.matched, Source: join(r.sources),
		Fallback: join(r.steps), MoreSlots: m.slotsOf(in, a, r.more, set) - 1}
	if set.latency == nil {
		for _, d := range r.earlier {
			d.id = id
			m.earlier = append(m.earlier, d)
		}
	}
	memory := in.Operation().Memory()
	if memory && !(set.cpi != nil && set.latency != nil) {
		m.checkModule(in, a, set)
		c, err := m.dev.inContext(in, a, r.timing, m.levels, id, set.patternOf(a), set.module())
		if err != nil {
			m.errs.Add(diag.Errorf(in.Pos, "RANGE", "the parameters of %s cannot be computed exactly: %v", in.Op, err))
			return
		}
		e.Timing, e.Transactions, e.Served, e.Module = c.timing, c.transactions, c.served, c.module
		if e.Transactions > 0 {
			e.Turns, e.Least = c.turns, m.dev.Memory.leastTransactions(in, a)
		}
		if c.inL1 {
			e.Subsystem = m.subsystemOf(l1Pipe, r.subsystem)
		}
		if c.subsystem != "" {
			e.Subsystem = m.subsystemNamed(c.subsystem)
		} else if c.path != (path{}) {
			e.Subsystem = m.subsystemOf(c.path.longest(), r.subsystem)
			if set.cpi == nil && set.subsystem == nil {
				m.paths[id-1] = c.path
			}
		}
		if c.rule != "" {
			e.Source += "; " + c.rule
		}
		e.Assumed, e.Addresses, e.Told = join(c.assumed), set.patternOf(a), set.addresses != nil
		if e.Told && e.Assumed != "" {
			e.Assumed += " (--set)"
		}
	}
	m.apply(e, set)
}

// unmapped is an instruction that the device cannot map: rules must give both
// parameters.
func (m *mapping) unmapped(e *Entry, in *idg.Instr, a *idg.Access, set chosen) {
	if set.cpi == nil || set.latency == nil {
		e := diag.Errorf(in.Pos, "NO-ENTRY", "%s has no entry for %s and no fallback", m.dev.Title, in.Op)
		m.errs.Add(e.WithNote("give its parameters with --set '%s:cpi=N,latency=N'", in.Op))
		return
	}
	e.Subsystem = m.subsystemNamed(defaultSubsystem(in.Op, a))
	e.MoreSlots = m.slotsOf(in, a, 0, set) - 1
	m.apply(e, set)
}

// apply puts the chosen rules' values into an entry.
func (m *mapping) apply(e *Entry, set chosen) {
	var names []string
	for _, p := range []*Rule{set.cpi, set.latency, set.subsystem, set.issue, set.reissue} {
		if p != nil && !slices.Contains(names, p.Text) {
			names = append(names, p.Text)
		}
	}
	if len(names) == 0 {
		return
	}
	if set.cpi != nil {
		e.Timing.CPI = set.cpi.CPI
	}
	if set.latency != nil {
		e.Timing.Latency = set.latency.Latency
	}
	if set.subsystem != nil {
		e.Subsystem = m.subsystemNamed(set.subsystem.Subsystem)
	}
	e.Matched = strings.Join(names, " + ") + " (set)"
	if set.cpi != nil && set.latency != nil {
		e.Source, e.Fallback, e.Assumed = "--set", "", ""
	} else {
		e.Source += "; --set"
	}
}

// subsystemNamed finds or adds a subsystem.
func (m *mapping) subsystemNamed(name string) SubsystemID {
	i := slices.Index(m.out.Subsystems, name)
	if i < 0 {
		i = len(m.out.Subsystems)
		m.out.Subsystems = append(m.out.Subsystems, name)
	}
	return SubsystemID(i)
}

// defaultSubsystem is where an op goes that the device does not know.
func defaultSubsystem(op string, a *idg.Access) string {
	o := isa.Parse(op)
	switch c := o.Class(); {
	case o.Memory() && (a != nil && a.Space == idg.SpaceLocal || o.Space == isa.Local):
		return "local"
	case o.Memory():
		return "global"
	case c == isa.Special:
		return "sfu"
	case c == isa.FP64, c == isa.BarrierClass:
		return string(c)
	}
	return "alu"
}

func (m *mapping) resolve(op, accessType string) *resolution {
	key := op
	if accessType != "" {
		key += " " + accessType
	}
	r, ok := m.resolved[key]
	if !ok {
		r = m.find(op, accessType, nil)
		m.resolved[key] = r
	}
	return r
}

// find looks an op up, directly or along the fallback chain. The ops being
// resolved are in chain, so that alternatives that name each other end.
func (m *Mapper) find(op, accessType string, chain []string) *resolution {
	if r := m.direct(op, accessType); r != nil {
		return r
	}
	chain = append(chain, op)
	alternatives := isa.Parse(op).Alternatives()
	for _, a := range alternatives { // an entry for an alternative is nearer than an alternative's alternative
		if !slices.ContainsFunc(a.Parts, func(p isa.Part) bool { return m.direct(p.Op, "") == nil }) {
			return m.compose(op, a, chain)
		}
	}
	for _, a := range alternatives {
		if r := m.compose(op, a, chain); r.missing == "" {
			return r
		}
	}
	return &resolution{missing: op}
}

// direct is the most specific entry for an op, nil if there is none.
func (m *Mapper) direct(op, accessType string) *resolution {
	for _, name := range isa.Parse(op).Names(accessType) {
		if i, ok := m.index[name]; ok {
			in := &m.dev.Instructions[i]
			return &resolution{subsystem: in.Subsystem, timing: in.Timing, more: max(in.Issue-1, 0),
				earlier: in.forwarded(), matched: in.Match, sources: []string{cite(in.Cite(), in.Inherited, "")}}
		}
	}
	return nil
}

// compose adds up the parts of an alternative.
func (m *Mapper) compose(op string, a isa.Alternative, chain []string) *resolution {
	out := &resolution{}
	busy := make([]Cycles, len(m.dev.Subsystems))
	var matched, names []string
	x := exact{}
	for _, p := range a.Parts {
		if slices.Contains(chain, p.Op) {
			return &resolution{missing: p.Op}
		}
		r := m.find(p.Op, "", chain[:len(chain):len(chain)])
		if r.missing != "" {
			return r
		}
		n := WholeCycles(p.N)
		cpi := x.mul(n, r.timing.CPI)
		out.timing.CPI = x.add(out.timing.CPI, cpi)
		out.timing.Latency = x.add(out.timing.Latency, x.mul(n, r.timing.Latency))
		out.more += int(p.N) * r.more
		out.earlier = r.earlier // the last part is what others wait for
		busy[r.subsystem] = x.add(busy[r.subsystem], cpi)
		if busy[r.subsystem].Cmp(busy[out.subsystem]) > 0 {
			out.subsystem = r.subsystem
		}
		names = append(names, times(p.N, p.Op))
		matched = append(matched, times(p.N, r.matched))
		out.sources = append(out.sources, r.sources...)
		out.steps = append(out.steps, r.steps...)
	}
	if x.err != nil {
		return &resolution{missing: op}
	}
	out.matched = strings.Join(matched, " + ")
	out.sources = unique(out.sources)
	out.steps = unique(append([]string{fmt.Sprintf("%s -> %s (%s)", op, strings.Join(names, " + "), a.Why)},
		out.steps...))
	return out
}

func times(n uint32, op string) string {
	if n == 1 {
		return op
	}
	return fmt.Sprintf("%d %s", n, op)
}

func unique(list []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// join puts texts in one line.
func join(list []string) string { return strings.Join(list, "; ") }

// warn adds what the user should know about the mapping as a whole.
func (m *mapping) warn(g *idg.Graph) {
	for i, used := range m.used {
		if !used {
			w := diag.Warningf(diag.Pos{}, "SET-UNUSED", "--set %q matches no instruction of the graph",
				m.rules[i].Text)
			if m.rules[i].Addresses != 0 {
				w.WithNote("addresses= is for accesses at addresses that the graph does not know")
			}
			if s := m.didYouMean(g, m.rules[i].Selector); s != "" && m.rules[i].Addresses == 0 {
				w.WithNote("%s", s)
			}
			m.out.Warnings.Add(w)
		}
	}
	if n := g.Launch.WarpSize; n != 0 && n != m.dev.WarpSize {
		m.out.Warnings.Add(diag.Warningf(diag.Pos{}, "WARP-SIZE",
			"the graph is of warps of %d lanes, those of %s have %d", n, m.dev.Title, m.dev.WarpSize).
			WithNote("make the graph again with --gpu %s, or --warp-size %d", m.dev.Name, m.dev.WarpSize))
	}
	for i := range g.Instrs() {
		if in := g.Instr(idg.InstrID(i + 1)); in.IsAsync() && !m.dev.AsyncCopies {
			m.out.Warnings.Add(diag.Warningf(in.Pos, "ASYNC-COPY", "%s has no asynchronous copies: its compiler "+
				"makes a load and a store of one, for which the warp waits", m.dev.Title).
				WithNote("make the graph again with --gpu %s", m.dev.Name))
			break
		}
	}
	if n, moved := g.SectorBytes(), m.dev.SectorBytes(); m.levels != nil && moved != 0 && n != moved {
		m.out.Warnings.Add(diag.Warningf(diag.Pos{}, "SECTORS", "the graph tells where sectors of %d bytes were "+
			"touched before, %s moves %d: neighbours that are touched one after the other count as moved each time, "+
			"or not at all", n, m.dev.Title, moved).
			WithNote("make the graph again with --gpu %s", m.dev.Name))
	}
	m.warnMachineCode(g)
	m.warnWide()
}

// warnMachineCode says in one line that the device executes other instructions than the
// graph has, unless another warning asks for its graph already. Nothing is said of -O0, the article's
// reading, nor where loops are as no compiler unrolls them. Code that nobody asked to be for a device is taken
// for that of any of NVIDIA's, which a remark says.
func (m *mapping) warnMachineCode(g *idg.Graph) {
	t := m.dev.Target()
	if g.Level == "O0" || g.Compiler != "nvcc" && g.Compiler != "clang" || g.GPU == m.dev.Name || m.dev.isOf(g.GPU) {
		return
	}
	capability, known := capabilityOf(g)
	switch {
	case !g.MachineCode:
	case g.Compiler != t.Compiler.String():
	case known && capability == t.Capability:
		return
	case g.GPU == "" && !strings.HasPrefix(t.Capability, "gfx"):
		m.out.Remarks = append(m.out.Remarks, fmt.Sprintf("the graph's code is for compute capability %s, as idgen "+
			"compiles without --gpu; idgen --gpu %s compiles for this device", capability, m.dev.Name))
		return
	}
	for _, w := range m.out.Warnings {
		if w.Code != "SET-UNUSED" {
			return
		}
	}
	of := g.GPU
	if known {
		of = fmt.Sprintf("%s (%s)", cmp.Or(g.GPU, "no device"), capability)
	}
	m.out.Warnings.Add(diag.Notef(diag.Pos{}, "MACHINE-CODE",
		"the code is %s's for %s, not %v's for %s (%s); idgen --gpu %s compiles for it",
		g.Compiler, of, t.Compiler, m.dev.Name, cmp.Or(t.Capability, "no architecture"), m.dev.Name))
}

// isOf reports whether the device was read from a file, which graphs that are built for it name.
func (d *Device) isOf(file string) bool {
	return file != "" && slices.ContainsFunc(d.Origins, func(o Origin) bool {
		return o.Inherited == "" &&
			o.Pos.File == file
	})
}

// capabilityOf is what a graph's code is compiled for; false where that is a device that is not built in.
func capabilityOf(g *idg.Graph) (string, bool) {
	if g.Capability != "" {
		return g.Capability, true
	}
	if g.GPU == "" {
		return target.DefaultCapability, true
	}
	d, err := Builtin(g.GPU)
	if err != nil {
		return "", false
	}
	return d.Target().Capability, true
}

// didYouMean says which part of an unused selector holds for no instruction.
func (m *mapping) didYouMean(g *idg.Graph, s Selector) string {
	var ops []string
	for i, in := range g.Instrs() {
		if s.Line > 0 && in.Pos.Line == s.Line && s.Name != "" {
			ops = append(ops, g.Instrs()[i].Op)
		}
	}
	if len(ops) > 0 {
		return fmt.Sprintf("line %d has %s", s.Line, strings.Join(unique(ops), ", "))
	}
	if s.Line > 0 {
		return ""
	}
	for _, in := range g.Instrs() {
		ops = append(ops, in.Op)
	}
	return strings.TrimPrefix(didYouMean(s.Name, unique(ops)), "; ")
}

// Timing is λ and Λ of an op, whatever its context; false if the device has nothing for it.
func (m *Mapper) Timing(op string) (Timing, bool) {
	e, ok := m.Entry(op)
	return e.Timing, ok
}

// Entry is what the device has for an op, whatever its context; false if that is nothing.
func (m *Mapper) Entry(op string) (Entry, bool) {
	r := m.find(op, "", nil)
	return Entry{Subsystem: r.subsystem, Timing: r.timing, Matched: r.matched, Source: join(r.sources),
		Fallback: join(r.steps)}, r.missing == "" && op != ""
}
