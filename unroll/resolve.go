package unroll

import (
	"fmt"
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower"
)

// Result is a resolved kernel.
type Result struct {
	Graph    *idg.Graph
	Warnings diag.List
}

// Resolve executes a kernel for the chosen warps of one work group and returns
// its Instruction Dependence Graph. The group is the one in the middle of the
// launch, so that guards at the edges of the data behave as they do for most
// groups. The error is a diag.List or a *diag.Error.
func Resolve(k *lower.Kernel, opt Options) (*Result, error) {
	opt, err := opt.forKernel(k)
	if err != nil {
		return nil, err
	}
	st := analyse(k)
	b := idg.NewBuilder()
	homes := homes{}
	if st.roles, err = assign(st, opt, homes); err != nil {
		return nil, err
	}
	if st.roles != nil {
		opt.EveryIteration = true // of which each has its own copies
	}
	warps, notes := warpsToResolve(opt)
	notes.Add(st.roles.notes()...)
	var merged *decisions
	var reuse *reuse
	if opt.Locality != WithoutLocality {
		reuse = newReuse(st, opt, homes)
	}
	total, executed := 0, int64(0) // by the first warp
	for i, w := range warps {
		reuse.next(i, len(warps))
		r, err := resolveWarp(st, opt, b, w, homes, reuse)
		if err != nil {
			return nil, err
		}
		if merged == nil {
			merged, executed = r.decisions, r.executed
		} else {
			merged.merge(r.decisions)
		}
		total += r.trace.Nodes()
		if left := len(warps) - i - 1; left > 0 && (total/groupBudget > opt.MaxInstructions ||
			!st.spent.affords(1, groupBudget*opt.maxWork())) {
			notes.Add(diag.Notef(k.Pos, "WARPS", "only %d of %d warps are resolved, and the others taken for the "+
				"last of these: together they exceed %d instructions", i+1, len(warps),
				groupBudget*opt.MaxInstructions))
			warps = warps[:i+1]
			break
		}
	}
	more, err := otherKinds(st, opt, b, warps, homes, executed)
	if err != nil {
		return nil, err
	}
	notes.Add(more...)
	merged.checkChoices(opt)
	notes.Add(st.tensors.notes(k)...)
	loops := merged.loopList() // which warns about pragmas
	notes.Add(merged.diagnostics...)
	notes = dedupe(notes)
	h := idg.Header{
		Source: opt.Source, Kernel: k.Name, Level: opt.Level.String(), Compiler: opt.Compiler.String(),
		MachineCode: opt.Merges(), GPU: opt.GPU,
		Launch:    idg.Launch{Local: opt.Local, Groups: opt.Groups, WarpSize: opt.WarpSize, Args: ArgList(k, opt)},
		Resources: idg.Resources{LocalBytes: localBytes(k, opt), PrivateBytes: privateBytes(k, homes)},
		Loops:     loops, Branches: merged.branchList(),
	}
	if reuse != nil {
		notes.Add(reuse.analyse(&h)...)
	}
	for _, e := range slices.Concat(opt.Notes, notes) {
		h.Notes = append(h.Notes, idg.Note{Pos: e.Pos, Code: e.Code, Text: e.Message,
			Advice: strings.Join(e.Notes, "\n")})
	}
	g, err := b.Build(h)
	if err != nil {
		return nil, err
	}
	if opt.Strict {
		if err := strictError(notes); err != nil {
			return nil, err
		}
	}
	return &Result{Graph: g, Warnings: notes}, nil
}

// resolveWarp records one warp's trace and adds its program to the builder. It
// starts again when a private array turns out to be subscripted by a value
// that the compiler does not know: such an array lives in memory. All attempts together are one
// warp's work.
func resolveWarp(st *static, opt Options, b *idg.Builder, warp uint32, homes homes, reuse *reuse) (*resolver, error) {
	for work := int64(0); ; {
		if err := opt.ended(); err != nil {
			return nil, err
		}
		if err := st.roles.prepare(st, opt, homes); err != nil {
			return nil, err
		}
		r := newResolver(st, opt, b, warp, homes)
		r.work = work
		st.roles.follow(r)
		if r.addresses = reuse.recorder(); reuse != nil {
			r.compare(reuse.compared)
		}
		r.run()
		st.spent.add(r.work - work)
		work = r.work
		if r.restart {
			continue
		}
		if r.err != nil {
			return nil, r.err
		}
		if st.tensors.grown() {
			continue
		}
		live := r.trace.Finish()
		if r.judge(live) || !r.settled(live) {
			continue
		}
		n := 0
		for _, l := range live {
			if l {
				n++
			}
		}
		if n > opt.MaxInstructions {
			return nil, r.tooMany()
		}
		if r.executed = r.decisions.count(&r.trace, live); r.executed > idg.MaxExecuted {
			return nil, r.tooManyExecuted()
		}
		if !r.trace.Emit(b, live, warp, opt.Barrier == WaitComplete, int64(opt.MaxInstructions)) {
			return nil, r.tooMany()
		}
		reuse.add(r, live)
		return r, nil
	}
}

// warpsToResolve lists the warps of the group to be resolved.
func warpsToResolve(opt Options) ([]uint32, diag.List) {
	n := uint32(opt.launch().WarpsPerGroup())
	switch opt.Warps {
	case FirstWarp:
		return []uint32{0}, nil
	case ListedWarps:
		var notes diag.List
		var list []uint32
		for _, w := range opt.WarpList {
			if w >= n {
				notes.Add(diag.Warningf(diag.Pos{}, "WARPS", "there is no warp %d: a group has %d warps", w, n))
				continue
			}
			list = append(list, w)
		}
		if !slices.Contains(list, 0) {
			list = append(list, 0)
		}
		slices.Sort(list)
		return slices.Compact(list), notes
	}
	all := make([]uint32, n)
	for i := range all {
		all[i] = uint32(i)
	}
	return all, nil
}

func unknownArg(k *lower.Kernel, name string) error {
	e := diag.Errorf(k.Pos, "ARG", "kernel %s has no scalar argument %q", k.Name, name)
	var names []string
	for _, p := range k.Params {
		if p.Type != lower.Ptr {
			names = append(names, p.Name)
		}
	}
	if len(names) > 0 {
		return e.WithNote("its scalar arguments are %v", names)
	}
	return e.WithNote("it has no scalar arguments")
}

// ArgList is the values of scalar arguments.
func ArgList(k *lower.Kernel, opt Options) []idg.Arg {
	var out []idg.Arg
	for _, p := range k.Params {
		if v, ok := opt.Args[p.Name]; ok && p.Type != lower.Ptr {
			text := fmt.Sprint(v.Int)
			if v.IsFloat {
				text = fmt.Sprint(v.Float)
			}
			out = append(out, idg.Arg{Name: p.Name, Value: text, Assumed: opt.AssumedArgs[p.Name]})
		}
	}
	return out
}

// privateBytes is the size of the private arrays that live in memory.
func privateBytes(k *lower.Kernel, homes homes) (n int64) {
	for o, home := range homes {
		if home < 0 {
			n += k.Object(o).Size
		}
	}
	return n
}

// localBytes is the size of a group's local memory.
func localBytes(k *lower.Kernel, opt Options) int64 {
	var n int64
	dynamic := false
	for _, o := range k.Objects {
		if o.Space == idg.SpaceLocal {
			n += o.Size
			dynamic = dynamic || o.Dynamic
		}
	}
	if dynamic {
		n += opt.DynamicLocal
	}
	return n
}

// dedupe drops diagnostics that say the same about the same place.
func dedupe(l diag.List) diag.List {
	seen := map[string]bool{}
	var out diag.List
	for _, e := range l {
		if s := e.Error(); !seen[s] {
			seen[s] = true
			out = append(out, e)
		}
	}
	return out
}

// strictError turns what had to be assumed into errors.
func strictError(l diag.List) error {
	var out diag.List
	for _, e := range l {
		if strings.HasPrefix(e.Code, "ASSUMED-") {
			c := *e
			c.Severity = diag.SeverityError
			out.Add(&c)
		}
	}
	return out.Err()
}
