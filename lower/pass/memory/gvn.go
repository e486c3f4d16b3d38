package memory

import (
	"encoding/binary"
	"strconv"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass/scalar"
	"gpupipe/lower/profile"
)

// GVN replaces what is computed or loaded already: a hash table scoped by dominance, which the structure gives (LLVM's
// EarlyCSE with MemorySSA, and what its GVN finds beyond blocks). A load gives what the last load or store at the same
// place had where nothing may have written there since (memory.go). Inside the blocks of a branch its condition is
// known (propagateEquality), and behind one that leaves.
func GVN(f *ir.Func, c *profile.Context) {
	m := newMemory(f, c.Profile)
	g := &numbering{f: f, memory: m, values: make(map[expression]*ir.Value, m.size), names: map[string]int32{},
		loaded: map[content]known{}, escape: escapesOf(f)}
	g.list(f.Body)
	g.repl.Apply(f.Body)
	scalar.DCE(f, c)
}

// numbering walks a kernel.
type numbering struct {
	f      *ir.Func
	memory *memory
	repl   ir.Replacements
	values map[expression]*ir.Value
	names  map[string]int32
	last   string // looked up in names, and what it has there: most operations in a row have the same
	lastID int32
	loaded map[content]known
	facts  []*ir.Value // by ID: what a value is in this block, nil: itself
	undo   []func()
	undone []entry // of values
	depth  int     // of the tables' scopes; 0: that of the kernel, of which nothing is taken back
	frame  *frame  // the loop of which the block is walked
	inner  *frame  // the last loop of which loads are parameters
	loads  int32   // the time of loads that are put in front of a loop which has been walked; 0: now
	escape map[*ir.Instr]bool
	found  []*ir.Value // what the results of a load are known to be
}

// expression is an operation with its operands.
type expression struct {
	op         ir.Op
	typ, from  ir.Type
	components int8  // which result
	name       int32 // of the function and operands behind the fourth, 0: none
	dim        int
	scale      int64
	args       [4]uint32
}

// entry is what the table had for an expression, nil: nothing.
type entry struct {
	expression
	value *ir.Value
}

// content is a scalar in memory.
type content struct {
	class  int
	at     address
	offset int64
	size   int64
}

// known is what is in memory since a time.
type known struct {
	value *ir.Value
	time  int32
}

// scoped does something of which the entries in tables hold until its end.
func (g *numbering) scoped(do func()) {
	n, m := len(g.undo), len(g.undone)
	g.depth++
	do()
	g.depth--
	for i := len(g.undo) - 1; i >= n; i-- {
		g.undo[i]()
	}
	clear(g.undo[n:])
	g.undo = g.undo[:n]
	for i := len(g.undone) - 1; i >= m; i-- {
		if e := &g.undone[i]; e.value != nil {
			g.values[e.expression] = e.value
		} else {
			delete(g.values, e.expression)
		}
	}
	g.undone = g.undone[:m]
}

func (g *numbering) block(b *ir.Block) { g.scoped(func() { g.list(b) }) }

// list numbers the instructions of a block.
func (g *numbering) list(b *ir.Block) {
	out := make([]*ir.Instr, 0, len(b.Instrs))
	for _, in := range b.Instrs {
		if !g.instr(in) {
			continue
		}
		if f := g.inner; f != nil && f.loop == in {
			out = g.before(out, b)
		}
		out = append(out, in)
		if g.frame != nil && g.escape[in] {
			g.frame.always = false
		}
	}
	b.Instrs = out
}

// before puts what a loop's parameters need in front of it.
func (g *numbering) before(out []*ir.Instr, b *ir.Block) []*ir.Instr {
	f := g.inner
	g.inner, g.loads = nil, f.entry
	for _, in := range g.carry(f) {
		in.Parent = b
		if g.instr(in) {
			out = append(out, in)
		}
	}
	g.loads = 0
	for i, a := range f.loop.Args {
		f.loop.Args[i] = g.find(a)
	}
	return out
}

// find is what a value is here.
func (g *numbering) find(v *ir.Value) *ir.Value {
	v = g.repl.Find(v)
	if int(v.ID) < len(g.facts) && g.facts[v.ID] != nil {
		return g.facts[v.ID]
	}
	return v
}

// instr numbers an instruction and reports whether it stays.
func (g *numbering) instr(in *ir.Instr) bool {
	for i, a := range in.Args {
		in.Args[i] = g.find(a)
	}
	switch {
	case in.Nests():
		g.control(in)
	case in.IsTerminator():
		if g.frame != nil && g.frame.loop == in.Target && in.Op == lower.OpContinue {
			if onlyLatch(g.frame.loop, in) {
				g.latch(in)
			}
		}
	case in.Op == lower.Load:
		return g.load(in)
	case in.Op == lower.Store:
		if g.idle(in) {
			return false
		}
		g.memory.execute(in)
		g.stored(in)
	case ir.Pure(in) && len(in.Results) > 0:
		return g.pure(in)
	default:
		g.memory.execute(in)
	}
	return true
}

// pure numbers an operation.
func (g *numbering) pure(in *ir.Instr) bool {
	order(in)
	e := g.expressionOf(in)
	if v := g.values[e]; v != nil {
		if v.Kind == ir.Result {
			v.Def.Subscript = v.Def.Subscript && in.Subscript
		}
		for i, r := range in.Results {
			e.components = int8(i)
			g.repl.Put(r, g.values[e])
		}
		return false
	}
	for i, r := range in.Results { // none is known where the first is not
		e.components = int8(i)
		g.number(e, nil, r)
	}
	return true
}

// number enters an expression, of which another value was known, until the end of the block.
func (g *numbering) number(e expression, old, v *ir.Value) {
	if g.depth > 0 {
		g.undone = append(g.undone, entry{e, old})
	}
	g.values[e] = v
}

// order puts the operands of what commutes in an order, constants last.
func order(in *ir.Instr) {
	if len(in.Args) < 2 || in.Args[1].IsConst() || !ir.Commutes(in.Op) && !in.Op.IsComparison() {
		return
	}
	if in.Args[0].IsConst() || in.Args[0].ID > in.Args[1].ID {
		in.Op = in.Op.Mirror()
		in.Args[0], in.Args[1] = in.Args[1], in.Args[0]
	}
}

func (g *numbering) expressionOf(in *ir.Instr) expression {
	e := expression{op: in.Op, typ: in.Type, dim: in.Dim, scale: in.Scale}
	if in.Op == lower.Convert || in.Op == lower.Bitcast || in.Op == lower.PtrAdd {
		e.from = in.From
	}
	name := in.Fn
	for i, a := range in.Args {
		if i < len(e.args) {
			e.args[i] = a.ID
		} else {
			name += "\x00" + strconv.Itoa(int(a.ID))
		}
	}
	if name == "" {
		return e
	}
	if name != g.last {
		g.last, g.lastID = name, g.names[name]
		if g.lastID == 0 {
			g.lastID = int32(len(g.names) + 1)
			g.names[name] = g.lastID
		}
	}
	e.name = g.lastID
	return e
}

// control numbers a control operation.
func (g *numbering) control(in *ir.Instr) {
	m := g.memory
	around := g.frame
	g.frame = nil
	defer func() { g.frame = around }()
	switch in.Op {
	case lower.OpLoop:
		entry := m.now
		m.joinAll(in)
		mark := m.mark()
		f := &frame{loop: in, always: true, entry: entry, since: m.now}
		g.frame = f
		g.block(in.Blocks[0])
		m.back(mark)
		m.joinAll(in)
		if len(f.kept) > 0 {
			g.inner = f
		}
	case lower.OpRegion:
		g.block(in.Blocks[0])
		m.joinAll(in)
	default:
		g.branch(in)
	}
}

// branch numbers an if or switch.
func (g *numbering) branch(in *ir.Instr) {
	m := g.memory
	var effects []effect
	for i, b := range in.Blocks {
		mark := m.mark()
		g.scoped(func() {
			g.assume(in, i)
			g.block(b)
		})
		if since := m.back(mark); ir.Yields(b) {
			effects = append(effects, since...)
		}
	}
	m.join(effects)
	if in.Op == lower.OpIf {
		for i, b := range in.Blocks {
			if !ir.Yields(b) {
				g.assume(in, 1-i)
			}
		}
	}
	g.same(in)
}

// same gives the results that have the same values at all exits one number (LLVM's EliminateDuplicatePHINodes).
func (g *numbering) same(in *ir.Instr) {
	if len(in.Results) < 2 {
		return
	}
	seen := map[string]*ir.Value{}
	for i, r := range in.Results {
		key := []byte{byte(r.Type)}
		for _, b := range in.Blocks {
			if ir.Yields(b) {
				id := b.Last().Args[i].ID
				key = append(key, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
			}
		}
		if v := seen[string(key)]; v != nil {
			g.repl.Put(r, v)
			continue
		}
		seen[string(key)] = r
	}
}

// assume notes what holds in block i of an if, or of a switch.
func (g *numbering) assume(in *ir.Instr, i int) {
	if in.Op == lower.OpIf {
		g.holds(in.Args[0], i == 0)
	} else if i < len(in.Cases) && len(in.Cases[i]) == 1 {
		g.is(in.Args[0], g.f.Int(in.Args[0].Type, in.Cases[i][0]))
	}
}

// holds notes that a condition is true or false.
func (g *numbering) holds(c *ir.Value, truth bool) {
	if c.Kind == ir.Const {
		return
	}
	g.is(c, g.f.Truth(truth))
	if c.Kind != ir.Result {
		return
	}
	switch d := c.Def; {
	case d.Op == lower.Not:
		g.holds(g.find(d.Args[0]), !truth)
	case d.Op == lower.And && truth, d.Op == lower.Or && !truth:
		g.holds(g.find(d.Args[0]), truth)
		g.holds(g.find(d.Args[1]), truth)
	case d.Op.IsComparison():
		if !d.Type.IsFloat() {
			e := g.expressionOf(d)
			e.op = d.Op.Negate()
			g.number(e, g.values[e], g.f.Truth(!truth))
		}
		if (d.Op == lower.Eq) == truth && (d.Op == lower.Eq || d.Op == lower.Ne) && d.Args[1].IsConst() &&
			!d.Type.IsFloat() {
			g.is(g.find(d.Args[0]), d.Args[1])
		}
	}
}

// is notes what a value is until the end of the block. A pointer stays one that leads into its object, null or not.
func (g *numbering) is(v, c *ir.Value) {
	if v.IsConst() || v.Type == lower.Ptr {
		return
	}
	if n := int(v.ID) + 1; n > len(g.facts) {
		g.facts = append(g.facts, make([]*ir.Value, n+n/2-len(g.facts))...)
	}
	old := g.facts[v.ID]
	g.facts[v.ID] = c
	g.undo = append(g.undo, func() { g.facts[v.ID] = old })
}

// stored notes what a store leaves in memory.
func (g *numbering) stored(in *ir.Instr) {
	if in.Volatile || in.Type == lower.Pred {
		return
	}
	at, offset := decompose(in.Args[0])
	class := g.memory.classOf(in.Args[0], in.Space)
	for i, v := range in.Args[1:] {
		g.enter(content{class, at, offset + int64(i)*in.Type.Size(), in.Type.Size()}, v)
	}
}

// idle reports whether a store leaves memory as it is known to be (LLVM's EarlyCSE: a value that was loaded
// from there).
func (g *numbering) idle(in *ir.Instr) bool {
	if in.Volatile || in.Type == lower.Pred {
		return false
	}
	at, offset := decompose(in.Args[0])
	class := g.memory.classOf(in.Args[0], in.Space)
	for i, v := range in.Args[1:] {
		k := content{class, at, offset + int64(i)*in.Type.Size(), in.Type.Size()}
		if g.lookup(k, in.Type) != v {
			return false
		}
	}
	return true
}

// enter notes what is in memory until the end of the block.
func (g *numbering) enter(k content, v *ir.Value) {
	old, now := g.loaded[k], g.memory.now
	if g.loads != 0 {
		now = g.loads
	}
	g.loaded[k] = known{v, now}
	if g.depth > 0 {
		g.undo = append(g.undo, func() { g.loaded[k] = old })
	}
}

// load replaces the results of a load by what is known to be in memory, and reports whether the load stays.
func (g *numbering) load(in *ir.Instr) bool {
	if in.Volatile {
		return true
	}
	at, offset := decompose(in.Args[0])
	class := g.memory.classOf(in.Args[0], in.Space)
	size := in.Type.Size()
	found := g.found[:0]
	all := true
	for i := range in.Results {
		v := g.lookup(content{class, at, offset + int64(i)*size, size}, in.Type)
		all = all && v != nil && v.Type == in.Type
		found = append(found, v)
	}
	g.found = found
	if v := found[0]; v != nil && v.Type != in.Type && len(found) == 1 { // the same bits
		*in = ir.Instr{Op: lower.Bitcast, Type: in.Type, From: v.Type, Args: []*ir.Value{v}, Results: in.Results,
			Parent: in.Parent,
			Pos:    in.Pos}
		return g.pure(in)
	}
	if !all {
		g.candidate(in, class, at, offset)
	}
	for i, r := range in.Results {
		if !all {
			g.enter(content{class, at, offset + int64(i)*size, size}, r)
			continue
		}
		g.repl.Put(r, found[i])
	}
	return !all
}

// lookup is a value that is known to be in memory, of a type or of one that its bits make, or nil.
func (g *numbering) lookup(k content, t ir.Type) *ir.Value {
	if v := g.table(k, t); v != nil {
		return v
	}
	have := g.loaded[k]
	if have.value == nil || !reinterpretable(have.value.Type, t) ||
		!g.memory.unchanged(k.class, k.at, k.offset, k.size, have.time) {
		return nil
	}
	return g.repl.Find(have.value)
}

// reinterpretable reports whether the bits of a value of one type are one of the other.
func reinterpretable(a, b ir.Type) bool {
	return a == b || number(a) && number(b) && a.Size() == b.Size()
}

func number(t ir.Type) bool { return t.IsInteger() || t.IsFloat() }

// table is the constant at a place of a constant table, or nil.
func (g *numbering) table(k content, t ir.Type) *ir.Value {
	if k.at.base.Kind != ir.Address || k.at.terms[0].value != nil || t == lower.Ptr {
		return nil
	}
	o := g.f.Object(k.at.base.Object)
	if o.Init == nil || k.offset < 0 || k.offset+k.size > int64(len(o.Init)) {
		return nil
	}
	var w [8]byte
	copy(w[:], o.Init[k.offset:k.offset+k.size])
	bits := binary.LittleEndian.Uint64(w[:])
	if t == lower.Pred {
		return g.f.Truth(bits != 0)
	}
	if t.IsFloat() {
		return g.f.Constant(t, bits)
	}
	return g.f.Int(t, int64(bits))
}
