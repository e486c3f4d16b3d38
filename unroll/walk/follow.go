package walk

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
)

// loop executes iterations until no lane continues.
func (w *warp) loop(n *machine.Loop) {
	w.cost(n.Enter)
	l, in := w.c.loops[n], n.From
	r := &running{from: in, level: -1, number: l.number, of: l}
	if w.followed < levels && !w.plain {
		r.level = w.followed
		w.followed++
	}
	w.begin(in, r)
	w.running = append(w.running, r)
	w.targets = append(w.targets, in)
	var params []*ir.Value
	if len(in.Blocks) > 0 {
		params = in.Blocks[0].Params
	}
	f := follower{w: w, r: r, l: l, body: n.Body.Nodes, params: params}
	for w.mask != 0 && w.err == nil {
		f.iterationBegins()
		w.block(n.Body)
		f.iterationEnds()
	}
	w.running = w.running[:len(w.running)-1]
	w.targets = w.targets[:len(w.targets)-1]
	if r.level >= 0 {
		w.followed--
	}
	f.close()
	w.mask = w.gone[in]
	w.gone[in] = 0
	w.cost(n.Leave)
}

// begin gives a loop's parameters their first values.
func (w *warp) begin(in *ir.Instr, r *running) {
	w.gone[in] = 0
	for _, v := range in.Results {
		w.values[v.ID].stamp = 0
	}
	if len(in.Blocks) > 0 {
		for i, p := range in.Blocks[0].Params {
			w.next[p] = &assigned{value: *w.value(in.Args[i]), ok: true}
		}
	}
	if in.Source != 0 {
		w.part(partOf(in))
	}
}

// iteration is the stamp of the innermost iteration that is executed.
func (w *warp) iteration() uint64 {
	if len(w.running) == 0 {
		return w.first
	}
	return w.stamps[w.running[len(w.running)-1].number]
}

// follower follows the iterations of a loop.
type follower struct {
	w                *warp
	r                *running
	l                *loop
	body             []machine.Node
	params           []*ir.Value
	n                int64 // iterations begun
	before           []value
	steps            []int64 // of the parameters from one iteration to the next
	linear           []bool  // that the parameter is followed
	counts           []int64 // when the iteration began
	sites            []siteCount
	loops            []loopCount
	named            int // coordinates of boxes
	mask             uint64
	stores, barriers int64
	// of what is recorded: that the loop and its next iteration were announced, where iterations begin
	announced, open bool
	starts          []idg.Executed
	touches         []int
}

// period is after how many iterations all accesses are again where they were in what tells their alignment.
func (f *follower) period() int64 {
	const alignment = 256 // idg.Access
	if f.r.moves == 0 {
		return 1
	}
	return alignment / int64(min(alignment, f.r.moves&-f.r.moves))
}

// iterationBegins gives parameters their values, and what they are known to change by.
func (f *follower) iterationBegins() {
	w, r := f.w, f.r
	w.clock++
	w.stamps[f.l.number] = w.clock
	f.n++
	f.mask = w.mask
	follows := r.level >= 0 && f.n >= 3
	if f.steps == nil {
		f.before, f.steps, f.linear = make([]value, len(f.params)), make([]int64, len(f.params)),
			make([]bool, len(f.params))
	}
	for i, p := range f.params {
		v := w.next[p].value
		if r.level >= 0 {
			v.d[r.level], v.until[r.level] = 0, forever
			if f.n > 1 {
				f.steps[i], f.linear[i] = difference(p.Type, &f.before[i], &v, w.mask)
			}
			f.before[i] = v
			if follows {
				if v.d[r.level] = f.steps[i]; !f.linear[i] {
					v.until[r.level] = 0
				}
				v.within(p.Type)
			}
		}
		w.set(p, v)
		w.next[p].ok = false
	}
	r.hold, r.moves, r.done = 0, 0, -1
	if follows {
		r.hold = forever
		f.counts = append(f.counts[:0], w.counts[f.l.from:f.l.behind]...)
		f.sites = append(f.sites[:0], w.sites[f.l.sitesFrom:f.l.sitesBehind]...)
		f.loops, f.named = append(f.loops[:0], w.loops...), len(w.named)
		f.stores, f.barriers = w.stores, w.barriers
	}
	w.again[r.from] = 0
	if w.out != nil {
		w.out.iteration(f)
	}
}

// difference is what active lanes have changed by, if it is the same in all: nothing, where they are not known
// before and after.
func difference(t lower.Type, a, b *value, mask uint64) (d int64, ok bool) {
	if a.known&mask == 0 && b.known&mask == 0 {
		return 0, true
	}
	if a.known&mask != mask || b.known&mask != mask {
		return 0, false
	}
	first := true
	for m := mask; m != 0; m &= m - 1 {
		l := trailing(m)
		x := int64(b.at(l) - a.at(l))
		if !first && x != d {
			return 0, false
		}
		d, first = x, false
		if a.uniform && b.uniform {
			break
		}
	}
	return d, d == 0 || t.IsInteger() || t == lower.Ptr
}

// iterationEnds goes on with the lanes that continue, behind the iterations that do the same.
func (f *follower) iterationEnds() {
	w, r := f.w, f.r
	r.n++
	if r.from.Source != 0 {
		n := copiesOf(r.from)
		if r.done >= 0 && w.again[r.from] == 0 {
			n = r.done
		}
		w.executes(r.from.Source, n)
	}
	if r.n > maxTrips {
		w.fail(w.c.tooManyTrips(r.from.Pos, r.n))
	}
	w.mask = w.again[r.from]
	if r.from.Source != 0 && w.mask != 0 && w.mask != f.mask {
		w.loops[r.from.Source].parted = true
	}
	if w.mask == 0 || w.mask != f.mask || r.level < 0 || f.n < 3 || r.hold <= 0 || !f.verified() {
		return
	}
	times := r.hold
	if times == forever {
		if times = f.remaining(); times <= 0 {
			return
		}
	}
	if r.n+times > maxTrips {
		w.fail(w.c.tooManyTrips(r.from.Pos, r.n+times))
		return
	}
	if w.out != nil {
		same := times
		if times = w.out.again(f, same); times == 0 {
			f.foresee(same)
		}
	}
	if times > 0 {
		f.skip(times)
	}
}

// foresee refuses iterations, so many of which do what the last one did, that will exceed the limit: those of an
// innermost loop are counted only when all that tells the alignment of accesses has passed twice. The one behind those
// begins, and goes on at least to what decides something.
func (f *follower) foresee(same int64) {
	w := f.w
	if w.clock != w.stamps[f.l.number] {
		return // it has a loop
	}
	n := max(0, min(same, 2*f.period()-int64(len(f.starts))))
	steps := n * int64(w.out.n-f.starts[len(f.starts)-1])
	if n == same {
		steps += int64(max(0, slices.IndexFunc(f.body, func(x machine.Node) bool {
			_, straight := x.(*machine.Instr)
			return !straight
		})))
	}
	if w.steps+steps > int64(w.launch.MaxInstructions) {
		w.fail(w.tooMany())
	}
}

// stays notes a jump out of loops that lanes may take of which that is not known, and are taken not to.
func (w *warp) stays(n *machine.Jump) {
	for _, r := range w.running[w.around(n.Target):] {
		r.stays = n
	}
}

// remaining is how many iterations are left of a loop that nothing known ends: those that are assumed, behind which
// lanes leave it as they may (running.stays).
func (f *follower) remaining() int64 {
	w, r := f.w, f.r
	if r.stays == nil {
		w.fail(w.c.endless(r.from))
		return 0
	}
	times := w.launch.AssumeTrips - r.n
	if p := partOf(r.from); p.Loop != 0 {
		times = w.left(p.Loop, p, 0)
	}
	if times <= 0 {
		lanes := w.mask
		w.mask = 0
		w.leave(r.stays, lanes)
	}
	return times
}

// verified reports whether the parameters' next values continue as they were taken to.
func (f *follower) verified() bool {
	w, level := f.w, f.r.level
	for i, p := range f.params {
		if !f.linear[i] {
			continue
		}
		x, now := &w.next[p].value, &w.values[p.ID].value
		d, ok := difference(p.Type, now, x, w.mask)
		if !ok || d != f.steps[i] || x.known&w.mask != 0 && x.d[level] != d {
			return false
		}
		for l := range levels {
			if l != level && x.d[l] != now.d[l] {
				return false
			}
		}
		if x.known&w.mask != 0 { // what is not known is taken to stay so
			f.r.hold = min(f.r.hold, x.until[level])
		}
	}
	return f.r.hold > 0
}

// skip counts iterations that do what the last one did.
func (f *follower) skip(times int64) {
	w := f.w
	for i, before := range f.counts {
		at := f.l.from + int32(i)
		w.counts[at] += (w.counts[at] - before) * times
	}
	if w.stores != f.stores {
		clear(w.memory)
	}
	for i, p := range f.params {
		x := &w.next[p].value
		switch {
		case !f.linear[i]:
			*x = unknownValue(x.same)
		case f.steps[i] != 0:
			by := uint64(f.steps[i] * times)
			bits := make([]uint64, len(x.bits))
			for l, b := range x.bits {
				bits[l] = b + by
			}
			x.bits = bits
		}
	}
	for i := range f.sites {
		w.sites[int(f.l.sitesFrom)+i].plus(&f.sites[i], times)
	}
	for i := range f.loops {
		w.loops[i].plus(&f.loops[i], times)
	}
	w.barriers += (w.barriers - f.barriers) * times
	w.seesLater(f.named, f.r.level, times)
	f.r.n += times
	if source := f.r.from.Source; source != 0 { // plus has counted those since the last iteration began
		w.loops[source].now += copiesOf(f.r.from) * times
	}
	f.n = 1 // steps are to be seen anew
	for i, p := range f.params {
		f.before[i] = w.next[p].value
		if f.steps[i] != 0 && f.linear[i] {
			bits := make([]uint64, len(f.before[i].bits))
			for l, b := range f.before[i].bits {
				bits[l] = b - uint64(f.steps[i])
			}
			f.before[i].bits = bits
		}
	}
}

// close forgets what was known of iterations.
func (f *follower) close() {
	for _, p := range f.params {
		delete(f.w.next, p)
	}
	if f.w.out != nil {
		f.w.out.endLoop(f)
	}
}

// assign gives results of a loop or region their values in lanes; loops from a depth on are left.
func (w *warp) assign(results, args []*ir.Value, lanes uint64, depth int) {
	for i, r := range results {
		if i >= len(args) {
			return
		}
		x := w.outside(args[i], depth)
		if h := &w.values[r.ID]; h.stamp == w.stampOf(r) {
			x = w.merge(&h.value, &x, lanes)
		}
		w.set(r, x)
	}
}

// outside is a value without what is known of the iterations of loops from a depth on.
func (w *warp) outside(v *ir.Value, depth int) value {
	x := *w.value(v)
	for _, r := range w.running[min(depth, len(w.running)):] {
		if r.level >= 0 {
			x.d[r.level], x.until[r.level] = 0, forever
		}
	}
	return x
}

// proceed gives parameters their values for the next iteration in lanes.
func (w *warp) proceed(params, args []*ir.Value, lanes uint64, depth int) {
	for i, p := range params {
		x := w.outside(args[i], depth)
		a := w.next[p]
		if a == nil {
			continue
		}
		if a.ok {
			x = w.merge(&a.value, &x, lanes)
		}
		a.value, a.ok = x, true
	}
}

// merge is a in all lanes but some, which have b.
func (w *warp) merge(a, b *value, lanes uint64) value {
	if a.uniform && b.uniform && a.bits[0] == b.bits[0] && a.d == b.d {
		r := *a
		r.limit(b)
		return r
	}
	r := value{known: a.known&^lanes | b.known&lanes, bits: make([]uint64, w.lanes), until: a.until, from: a.from}
	r.limit(b)
	for m := r.known; m != 0; m &= m - 1 {
		l := trailing(m)
		from := a
		if lanes>>l&1 == 1 {
			from = b
		}
		r.bits[l] = from.at(l)
	}
	for l := range levels {
		if a.d[l] == b.d[l] {
			r.d[l] = a.d[l]
		} else {
			r.until[l] = 0
		}
	}
	r.compact(w.all)
	return r
}

// decidedBy notes what decides whether a loop goes on.
func (w *warp) decidedBy(r *running, c *value) {
	if source := r.from.Source; source != 0 {
		w.loops[source].from |= c.from
	}
}

// ends reports whether a loop, of which that is not known, ends with this iteration: it has the iterations that the
// user gives (--trip), else as many as are assumed. A break is not taken where something known ends the loop.
func (w *warp) ends(r *running, jump *ir.Instr) bool {
	if jump != nil && (jump.Kind == "break" || jump.Kind == "return") && r.of.decided(w) {
		return false
	}
	p, ahead := partOf(r.from), int64(0)
	left := w.launch.AssumeTrips - r.n - 1
	if p.Loop != 0 {
		ahead = p.Copies // of this iteration
		left = w.left(p.Loop, p, ahead)
		if k := copyOf(r.from, jump); k >= 0 { // the test is that of a copy, in front of it
			one := p
			one.Copies = 1
			left = (w.left(p.Loop, one, k) + p.Copies - 1) / p.Copies
		}
	}
	if left <= 0 {
		return true
	}
	r.hold = min(r.hold, left-1)
	return false
}

// copyOf is how many of the source's iterations an iteration of a loop has done where a test jumps out of it that
// stands between them, below 0: all of them, or the jump is none of the loop's own. Tests stand in front of
// iterations, or behind them where the last one ends the loop's block.
func copyOf(loop, jump *ir.Instr) int64 {
	if jump == nil || jump.Parent == nil || jump.Parent.Owner == nil || jump.Parent.Owner.Kind != "loop" ||
		jump.Parent.Owner.Parent != loop.Blocks[0] {
		return -1
	}
	test := func(in *ir.Instr) bool { return in.Op == lower.OpIf && in.Kind == "loop" && in.Part.Loop == 0 }
	list := loop.Blocks[0].Instrs
	behind := len(list) > 1 && test(list[len(list)-2])
	k := int64(0)
	for _, in := range list {
		switch {
		case in != jump.Parent.Owner:
			if test(in) {
				k++
			}
		case behind && in == list[len(list)-2]:
			return -1
		case behind:
			return k + 1
		default:
			return k
		}
	}
	return -1
}

func copiesOf(loop *ir.Instr) int64 {
	if loop.Loop != nil && loop.Loop.Copies > 1 {
		return int64(loop.Loop.Copies)
	}
	return 1
}
