package unroll_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/tools"
	"gpupipe/lower"
	"gpupipe/unroll"
)

// recorder is a context mapper that keeps every access as the resolver saw it
// and names it by its number.
type recorder struct{ list []unroll.LaneAccess }

func (r *recorder) Map(a unroll.LaneAccess) idg.Access {
	r.list = append(r.list, a)
	return idg.Access{Space: a.Space, Width: uint16(a.Width), Store: a.Store, Buffer: strconv.Itoa(len(r.list) - 1),
		Assumed: "recorded"}
}

// trace is what a resolution makes each work item of a warp execute.
type trace struct {
	program *idg.Flat
	graph   *idg.Graph
	lanes   [][]event
	nodes   [][]idg.NodeID  // that make the lanes' events
	private map[string]bool // private arrays that live in memory
}

// traceOf resolves a kernel for every warp of the group and returns the work
// items' accesses and barriers in program order, by warp.
func traceOf(k *lower.Kernel, opt unroll.Options) ([]trace, error) {
	rec := &recorder{}
	opt.Context = rec
	res, err := unroll.Resolve(k, opt)
	if err != nil {
		return nil, err
	}
	g := res.Graph
	if err := g.Verify(); err != nil {
		return nil, err
	}
	items := int(g.Launch.WorkItems())
	traces := make([]trace, g.Launch.WarpsPerGroup())
	for _, p := range g.Programs() {
		for _, w := range p.Warps {
			lanes := min(g.Launch.WarpSize, items-int(w)*g.Launch.WarpSize)
			t := trace{
				program: flat(p), graph: g, lanes: make([][]event, lanes), nodes: make([][]idg.NodeID, lanes),
				private: map[string]bool{},
			}
			add := func(l int, v int, e event) {
				t.lanes[l], t.nodes[l] = append(t.lanes[l], e), append(t.nodes[l], idg.NodeID(v))
			}
			for v := range t.program.Len() {
				in := g.Instr(t.program.Instr(idg.NodeID(v)))
				if in.Op == "barrier" {
					if int(in.Lanes) != lanes {
						return nil, fmt.Errorf("%v: barrier with %d of %d lanes", in.Pos, in.Lanes, lanes)
					}
					for l := range t.lanes {
						add(l, v, event{kind: "barrier", pos: in.Pos})
					}
				}
				if in.Access == 0 {
					continue
				}
				n, err := strconv.Atoi(g.Access(in.Access).Buffer)
				if err != nil {
					return nil, err
				}
				a := rec.list[n]
				if a.Offsets == nil {
					return nil, fmt.Errorf("%v: addresses of %s not known: %s", a.Pos, in.Op, a.Unknown)
				}
				kind, _, _ := strings.Cut(in.Op, ".")
				if a.Space == idg.SpacePrivate {
					t.private[a.Buffer] = true
				}
				for i, m := 0, a.Lanes; m != 0; i, m = i+1, m&(m-1) {
					l := bits.TrailingZeros64(m)
					add(l, v, event{kind, a.Buffer, a.Offsets[i], a.Width, a.Pos})
				}
			}
			traces[w] = t
		}
	}
	return traces, nil
}

// reference is what every work item of the group executes by itself, and the loads that each event needs.
func reference(k *lower.Kernel, local, groups [3]int64, args map[string]int64) (all [][]event, uses [][][]int,
	err error) {
	for z := range local[2] {
		for y := range local[1] {
			for x := range local[0] {
				item := workItem{id: [3]int64{x, y, z}, local: local, groups: groups,
					group: [3]int64{groups[0] / 2, groups[1] / 2, groups[2] / 2}}
				log, needs, err := runScalar(k, item, args)
				if err != nil {
					return nil, nil, err
				}
				all, uses = append(all, log), append(uses, needs)
			}
		}
	}
	return all, uses, nil
}

// hides reports whether an access is of a private array that lives in registers.
func (t *trace) hides(k *lower.Kernel, e event) bool {
	return e.kind != "barrier" && e.private(k) && !t.private[e.object]
}

// visible drops the accesses that are hidden.
func (t *trace) visible(k *lower.Kernel, log []event) []event {
	return slices.DeleteFunc(slices.Clone(log), func(e event) bool { return t.hides(k, e) })
}

// sameEvents compares the accesses of a work item one by one.
func sameEvents(want, got []event) error {
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(want):
			return fmt.Errorf("access %d: %v is too much", i, got[i])
		case i >= len(got):
			return fmt.Errorf("access %d: %v is missing", i, want[i])
		case want[i] != got[i]:
			return fmt.Errorf("access %d: %v, want %v", i, got[i], want[i])
		}
	}
	return nil
}

// optimisedEvents compares the accesses at -O2 with what the source does: those in the graph are equal in order and
// place. A load may be missing where the same bytes were loaded or stored before, and nothing in between may have
// changed them, or where no store in the graph needs it; a store where a later one overwrites it before anything
// in the graph may tell (placed).
func optimisedEvents(k *lower.Kernel, log []event, uses [][]int, t *trace, lane int) error {
	at, err := placed(k, log, t, lane)
	if err != nil {
		return err
	}
	needed := map[int]bool{}
	for i, e := range log {
		if at[i] >= 0 && e.kind != "ld" {
			followed(k, log, uses, at, i, needed)
		}
	}
	for i, e := range log {
		if e.kind == "ld" && at[i] < 0 && !t.hides(k, e) && needed[i] && coveredBy(k, log[:i], e) < 0 {
			return fmt.Errorf("access %d: %v is gone, but its bytes are not at hand", i, e)
		}
	}
	return nil
}

// placing finds where the events that a work item executes stand among those of the graph.
type placing struct {
	k        *lower.Kernel
	t        *trace
	log, got []event
	at       []int         // by event of the log, -1 = not in the graph
	spare    map[event]int // how many of the log's are not in the graph
	failed   map[[2]int]bool
}

// placed is where the events that a work item executes stand among those of the graph, -1 = not in it. In the same
// order all of the graph's are in it, and all that the work item executes but some loads, and stores that a later one
// covers with no atomic, barrier or load in the graph between that may tell.
func placed(k *lower.Kernel, log []event, t *trace, lane int) ([]int, error) {
	p := placing{k, t, log, t.lanes[lane], make([]int, len(log)), map[event]int{}, map[[2]int]bool{}}
	for _, e := range log {
		if !t.hides(k, e) {
			p.spare[e]++
		}
	}
	for _, e := range p.got {
		if p.spare[e]--; p.spare[e] < 0 {
			return nil, fmt.Errorf("%v is too much", e)
		}
	}
	for e, n := range p.spare {
		if n > 0 && e.kind != "ld" && e.kind != "st" {
			return nil, fmt.Errorf("%v is missing", e)
		}
	}
	if !p.from(0, 0, nil) {
		return nil, fmt.Errorf("other order, or a store is gone that is not overwritten")
	}
	return p.at, nil
}

// from places the events from the i-th on in the graph's from the j-th on. Open are stores that are not in the graph
// and have to be overwritten.
func (p *placing) from(i, j int, open []event) bool {
	start := i
	for ; i < len(p.log); i++ {
		e := p.log[i]
		p.at[i] = -1
		if p.t.hides(p.k, e) {
			continue
		}
		in := j < len(p.got) && p.got[j] == e
		if in && p.spare[e] > 0 {
			// Of equal accesses the first load and the last store are likely in the graph.
			first := e.kind == "st"
			if !p.failed[[2]int{i, j}] && (p.either(i, j, open, first) || p.either(i, j, open, !first)) {
				return true
			}
			p.failed[[2]int{i, j}] = true
			break
		}
		var ok bool
		if open, ok = p.place(i, j, open, !in); !ok {
			break
		}
		if in {
			j++
		}
	}
	if i == len(p.log) && j == len(p.got) && len(open) == 0 {
		return true
	}
	for ; start < i; start++ {
		if p.at[start] < 0 && !p.t.hides(p.k, p.log[start]) {
			p.spare[p.log[start]]++
		}
	}
	return false
}

// either tries to go on with an event that is, or is not, in the graph.
func (p *placing) either(i, j int, open []event, gone bool) bool {
	open, ok := p.place(i, j, open, gone)
	next := j
	if !gone {
		next++
	}
	if ok && p.from(i+1, next, open) {
		return true
	}
	if ok && gone {
		p.spare[p.log[i]]++
	}
	return false
}

// place says that an event is gone or the graph's j-th, and returns the stores that are open behind it.
func (p *placing) place(i, j int, open []event, gone bool) ([]event, bool) {
	e := p.log[i]
	tells := func(store event) bool { return conflict(p.k, store, e) }
	switch {
	case gone && p.spare[e] == 0:
		return nil, false
	case gone:
		p.at[i] = -1
		p.spare[e]--
		if e.kind == "st" {
			open = append(slices.Clip(open), e)
		}
		return open, true
	case e.kind != "st" && slices.ContainsFunc(open, tells):
		return nil, false
	case e.kind == "st":
		open = slices.DeleteFunc(slices.Clone(open), func(store event) bool { return covers(e, store) })
	}
	p.at[i] = j
	return open, true
}

// covers reports whether an access goes to all bytes of another one.
func covers(e, of event) bool {
	return e.object == of.object && e.offset <= of.offset && of.offset+of.width <= e.offset+e.width
}

// settled returns the accesses of a work item that others can tell, and each store as late as they can: a later one to
// the same bytes stands for it. Stores that nobody tells apart are in the order of their text.
func settled(k *lower.Kernel, log []event) (out []event) {
	var open []event // stores
	write := func(ends func(store event) bool) {
		goes := make([]bool, len(open))
		for i, e := range slices.Backward(open) {
			goes[i] = ends(e)
			for j := i + 1; j < len(open); j++ {
				goes[i] = goes[i] || goes[j] && conflict(k, e, open[j])
			}
		}
		var going, stay []event
		for i, e := range open {
			if goes[i] {
				going = append(going, e)
			} else {
				stay = append(stay, e)
			}
		}
		for open = stay; len(going) > 0; {
			first := -1
			for i, e := range going {
				free := !slices.ContainsFunc(going[:i], func(before event) bool { return conflict(k, before, e) })
				if free && (first < 0 || e.String() < going[first].String()) {
					first = i
				}
			}
			out = append(out, going[first])
			going = slices.Delete(going, first, first+1)
		}
	}
	for _, e := range log {
		if e.kind == "ld" {
			continue
		}
		e.pos = lower.Pos{}
		if e.kind == "st" {
			open = append(slices.DeleteFunc(open, func(before event) bool { return covers(e, before) }), e)
			continue
		}
		write(func(store event) bool { return conflict(k, store, e) })
		out = append(out, e)
	}
	write(func(event) bool { return true })
	return out
}

// conflict reports whether a store may not be moved behind an access.
func conflict(k *lower.Kernel, store, e event) bool {
	private := store.private(k)
	switch {
	case e.kind == "barrier" || e.private(k) != private:
		return !private && e.kind == "barrier"
	case store.object == e.object:
		return store.offset < e.offset+e.width && e.offset < store.offset+store.width
	}
	return !private && store.object != "s" && e.object != "s" // all buffers may overlap
}

// coveredBy returns the access after which the bytes of a load are in registers,
// given what comes before it, or -1.
func coveredBy(k *lower.Kernel, before []event, e event) int {
	private := e.private(k)
	for i, f := range slices.Backward(before) {
		if f.kind == "barrier" {
			if private {
				continue
			}
			return -1
		}
		same := f.object == e.object
		if same && f.kind != "atomic" && f.offset == e.offset && f.width == e.width {
			return i
		}
		if f.kind == "ld" || f.private(k) != private {
			continue
		}
		overlap := same && f.offset < e.offset+e.width && e.offset < f.offset+f.width
		mayAlias := !same && !private && e.object != "s" && f.object != "s" // all buffers may overlap
		if overlap || mayAlias || same && f.kind == "atomic" {
			return -1
		}
	}
	return -1
}

// followed adds to seen the loads that an event's values come from, as far back as the nearest in the graph.
func followed(k *lower.Kernel, log []event, uses [][]int, at []int, i int, seen map[int]bool) {
	needs := uses[i]
	if at[i] < 0 && !log[i].private(k) { // a load of what a register holds: go on with what was loaded or stored before
		f := coveredBy(k, log[:i], log[i])
		switch {
		case f < 0 || log[f].kind == "st" && log[f].width > 4: // a component of a stored vector is not followed
			return
		case log[f].kind == "ld":
			needs = []int{f}
		default:
			needs = uses[f]
		}
	}
	for _, n := range needs {
		if !seen[n] {
			seen[n] = true
			if at[n] < 0 {
				followed(k, log, uses, at, n, seen)
			}
		}
	}
}

// checkProducers holds every store and atomic of a work item against the loads
// that its values come from: each is reached over data dependences.
func checkProducers(k *lower.Kernel, log []event, uses [][]int, t *trace, lane int) error {
	at, err := placed(k, log, t, lane)
	if err != nil {
		return err
	}
	for i, e := range log {
		if e.kind != "st" && e.kind != "atomic" || at[i] < 0 {
			continue
		}
		v := t.nodes[lane][at[i]]
		above, needs := ancestors(t, v), map[int]bool{}
		followed(k, log, uses, at, i, needs)
		for n := range needs {
			if at[n] >= 0 && !above[t.nodes[lane][at[n]]] {
				return fmt.Errorf("node %d (access %d, %v) does not wait for node %d (access %d, %v)", v, i, e,
					t.nodes[lane][at[n]], n, log[n])
			}
		}
	}
	return nil
}

// ancestors returns the nodes that v needs the data of in some lane, directly or not.
func ancestors(t *trace, v idg.NodeID) map[idg.NodeID]bool {
	p := t.program
	seen := map[idg.NodeID]bool{}
	todo := []idg.NodeID{v}
	for len(todo) > 0 {
		u := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		from, kinds := p.Preds(u)
		for i, f := range from {
			if kinds[i] != idg.Order && !t.graph.Instr(p.Instr(f)).IsGate() && !seen[f] {
				seen[f] = true
				todo = append(todo, f)
			}
		}
	}
	return seen
}

var oracleLaunches = []struct{ local, groups [3]int64 }{
	{[3]int64{32, 1, 1}, [3]int64{1, 1, 1}},
	{[3]int64{8, 8, 1}, [3]int64{3, 2, 1}},
	{[3]int64{20, 1, 1}, [3]int64{5, 1, 1}},
	{[3]int64{7, 3, 2}, [3]int64{4, 4, 2}},
}

// TestOracle compares the traces of random kernels, lane by lane, with an
// execution of each work item alone: at -O0 every access and barrier, at -O2 every
// store, atomic and barrier, and loads as far as they had to stay. Unroll factors
// chosen at random must change none of that.
func TestOracle(t *testing.T) {
	kernels := tools.Cases(500, 20)
	skipped, events, failures := 0, 0, 0
	for seed := range uint64(kernels) {
		n, err := checkAgainstOracle(t, seed)
		switch {
		case err == errSkip:
			skipped++
		case err != nil:
			failures++
			t.Errorf("seed %d: %v", seed, err)
			if failures >= 5 {
				t.Fatal("too many failures")
			}
		}
		events += n
	}
	t.Logf("%d kernels, %d accesses and barriers of work items, %d kernels skipped", kernels, events, skipped)
	if skipped > kernels/20 {
		t.Errorf("%d of %d random kernels could not be used", skipped, kernels)
	}
}

var errSkip = fmt.Errorf("kernel runs too long")

func checkAgainstOracle(t *testing.T, seed uint64) (events int, err error) {
	text := generateKernel(seed)
	k := lowerKernel(t, text)
	rng := rand.New(rand.NewPCG(seed, 7))
	args := map[string]int64{"n": int64(rng.IntN(40)) - 5, "m": int64(rng.Uint32()),
		"q": int64(rng.Uint64() >> rng.IntN(64))}
	launch := oracleLaunches[rng.IntN(len(oracleLaunches))]
	want, uses, err := reference(k, launch.local, launch.groups, args)
	if err != nil {
		if strings.Contains(err.Error(), "too many steps") {
			return 0, errSkip
		}
		return 0, fmt.Errorf("reference: %w\n%s", err, text)
	}
	base := unroll.Options{Local: launch.local, Groups: launch.groups, Args: map[string]unroll.ArgValue{}}
	for name, v := range args {
		base.Args[name] = unroll.ArgValue{Int: v}
	}
	for _, run := range []struct {
		level    unroll.Level
		compiler unroll.Compiler
		factors  bool
	}{
		{unroll.O0, unroll.NoCompiler, false},
		{unroll.O0, unroll.NVCC, true},
		{unroll.O2, unroll.NVCC, false},
		{unroll.O2, unroll.Clang, false},
		{unroll.O2, unroll.NoCompiler, true},
	} {
		opt := base
		opt.Level, opt.Compiler = run.level, run.compiler
		if run.factors {
			for _, l := range k.Loops {
				at := unroll.Location{Line: l.Pos.Line, Column: l.Pos.Column}
				opt.Unrolls = append(opt.Unrolls, unroll.UnrollChoice{At: at, Factor: 1 + rng.Int64N(6)})
			}
		}
		moved, err := traceOf(k, opt)
		if err != nil {
			return events, fmt.Errorf("%v %v: %w\n%s", run.level, run.compiler, err, numbered(text))
		}
		traces := moved
		if run.level == unroll.O2 {
			if traces, err = traceOf(k, opt.InMemory()); err != nil {
				return events, fmt.Errorf("%v %v: %w\n%s", run.level, run.compiler, err, numbered(text))
			}
		}
		for item, log := range want {
			tr := &traces[item/32]
			got, log := tr.lanes[item%32], tr.visible(k, log)
			events += len(log)
			var err error
			if run.level == unroll.O2 {
				err = optimisedEvents(k, want[item], uses[item], tr, item%32)
			} else {
				err = sameEvents(log, got)
			}
			if err != nil {
				return events, fmt.Errorf("%v %v, unrolls %v, args %v, local %v: work item %d: %w\n%s\n"+
					"want %v\ngot  %v",
					run.level, run.compiler, opt.Unrolls, args, launch.local, item, err, numbered(text), log, got)
			}
			late := &moved[item/32]
			if want, got := settled(k, late.visible(k, log)),
				settled(k, late.lanes[item%32]); !slices.Equal(want, got) {
				return events, fmt.Errorf("%v %v, unrolls %v, args %v, local %v: work item %d: with places in "+
					"registers\n%s\nwant %v\ngot  %v",
					run.level, run.compiler, opt.Unrolls, args, launch.local, item, numbered(text), want, got)
			}
			if item%9 != 0 {
				continue
			}
			if err := checkProducers(k, want[item], uses[item], tr, item%32); err != nil {
				return events, fmt.Errorf("%v %v, unrolls %v, args %v, local %v: work item %d: %w\n%s",
					run.level, run.compiler, opt.Unrolls, args, launch.local, item, err, numbered(text))
			}
		}
	}
	return events, nil
}

func numbered(text string) string {
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		fmt.Fprintf(&b, "%3d %s\n", i+1, line)
	}
	return b.String()
}
