package walk

import (
	"encoding/binary"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"math"
	"math/bits"
	"strings"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/unroll/arithmetic"
)

func trailing(m uint64) int { return bits.TrailingZeros64(m) }

// index is a work-item function: launch sizes and ids.
func (w *warp) index(in *ir.Instr) value {
	d, o := min(max(in.Dim, 0), 2), &w.launch
	uniform := func(n int64) value {
		v := uniformOf(arithmetic.Canon(in.Type, uint64(n)), w.all)
		v.from = fromLaunch
		return v
	}
	switch in.Fn {
	case "get_local_size":
		return uniform(o.Local[d])
	case "get_num_groups":
		return uniform(o.Groups[d])
	case "get_global_size":
		return uniform(o.Groups[d] * o.Local[d])
	case "get_global_offset":
		return uniform(0)
	case "get_work_dim":
		n := int64(1)
		for i := range 3 {
			if o.Local[i]*o.Groups[i] > 1 {
				n = int64(i) + 1
			}
		}
		return uniform(n)
	case "get_sub_group_size":
		return uniform(int64(o.WarpSize))
	case "get_num_sub_groups":
		return uniform((o.Local[0]*o.Local[1]*o.Local[2] + int64(o.WarpSize) - 1) / int64(o.WarpSize))
	}
	if strings.HasPrefix(in.Fn, "get_special_") {
		if in.Fn == "get_special_heap" && w.c.news(in, "heap") {
			w.c.says(diag.Notef(in.Pos, "ASSUMED-HEAP",
				"malloc and free are taken to need no time: what they take is not modelled").
				WithNote("allocate the memory before the launch and pass a buffer to have it modelled"))
		}
		return unknownValue(false)
	}
	v := value{from: fromWorkItem, known: w.all, until: steady, bits: make([]uint64, w.lanes)}
	for l := range w.lanes {
		v.bits[l] = arithmetic.Canon(in.Type, w.id(in.Fn, d, l))
	}
	v.compact(w.all)
	return v
}

// id is a work-item function's result for a lane. Work items are dealt to warps in order of their linear local id.
func (w *warp) id(fn string, d, lane int) uint64 {
	linear := int64(w.number)*int64(w.launch.WarpSize) + int64(lane)
	l, id := w.launch.Local, w.group
	local := [3]int64{linear % l[0], linear / l[0] % l[1], linear / (l[0] * l[1])}
	switch fn {
	case "get_local_id":
		return uint64(local[d])
	case "get_group_id":
		return uint64(id[d])
	case "get_sub_group_local_id":
		return uint64(lane)
	case "get_sub_group_id":
		return uint64(w.number)
	case "get_local_linear_id":
		return uint64(linear)
	case "get_global_linear_id":
		var global int64
		for i := 2; i >= 0; i-- {
			global = global*l[i]*w.launch.Groups[i] + id[i]*l[i] + local[i]
		}
		return uint64(global)
	}
	return uint64(id[d]*l[d] + local[d])
}

// object is a private array: the bytes of each lane.
type object struct {
	bytes [][]byte
	known [][]bool
	from  origin
}

// maxPrivate bounds the private arrays that are followed, bytes of a lane.
const maxPrivate = 1 << 14

// constantLoad is element i of a load that is no instruction of its own: an operand in the constant bank.
func (w *warp) constantLoad(in *ir.Instr, i int) value {
	return w.loaded(in, w.value(in.Args[0]), i)
}

// loaded is element i of a load from an address.
func (w *warp) loaded(in *ir.Instr, p *value, i int) value {
	size := int64(in.Type.Size())
	if !w.hasContents(p) {
		v := unknownValue(p.same && !w.perLane(in))
		v.limit(p)
		v.from |= fromMemory
		return v
	}
	v := combine(w.all, func(a []uint64) (uint64, bool) {
		id, at := place(a[0])
		if id == 0 || int(id) > len(w.c.code.Func.Objects) {
			return 0, false
		}
		table := w.contents(id)
		at += int64(i) * size
		ok := at >= 0 && at+size <= int64(len(table))
		if name := w.c.code.Func.Object(id).Name; table != nil && w.launch.Contents[name] != nil {
			w.c.contents.reads(name, at, ok)
		}
		if !ok {
			return 0, false
		}
		return element(table[at:], in.Type), true
	}, p)
	v.bend(p)
	v.same = v.same || p.same && !w.perLane(in)
	v.from |= fromMemory
	return v
}

// perLane reports whether each lane has its own memory at the address that an access has.
func (w *warp) perLane(in *ir.Instr) bool {
	if id := w.c.root(in.Args[0]); id != 0 {
		return w.c.code.Func.Object(id).Space == idg.SpacePrivate
	}
	return in.Space == idg.SpacePrivate
}

// hasContents reports whether what memory holds is known at some address.
func (w *warp) hasContents(p *value) bool {
	none := ir.ObjectID(0)
	for m := p.known; m != 0; m &= m - 1 {
		id, _ := place(p.at(trailing(m)))
		if id != none && id > 0 && int(id) <= len(w.c.code.Func.Objects) && w.contents(id) != nil {
			return true
		}
		if none = id; p.uniform {
			break
		}
	}
	return false
}

// element reads a value of memory.
func element(b []byte, t lower.Type) uint64 {
	var word [8]byte
	copy(word[:], b[:t.Size()])
	u := binary.LittleEndian.Uint64(word[:])
	if t == lower.Pred {
		return arithmetic.FromBool(u != 0)
	}
	return arithmetic.LaneBits(t, u)
}

// load executes a load.
func (w *warp) load(in *ir.Instr) {
	p := w.value(in.Args[0])
	for i, r := range in.Results {
		if o := w.private(p); o != nil {
			w.set(r, w.read(in, o, p, i))
			continue
		}
		w.set(r, w.loaded(in, p, i))
	}
}

// private is the array of a lane that all known lanes point into, nil: it is something else.
func (w *warp) private(p *value) *object {
	if p.known == 0 {
		return nil
	}
	id, _ := place(p.at(trailing(p.known)))
	if id == 0 || int(id) > len(w.c.code.Func.Objects) {
		return nil
	}
	if s := w.c.code.Func.Object(id); s.Space != idg.SpacePrivate || s.Size > maxPrivate || s.Init != nil {
		return nil
	}
	o := w.memory[id]
	if o == nil {
		o = &object{}
		w.memory[id] = o
	}
	return o
}

// read is element i of a load of a private array.
func (w *warp) read(in *ir.Instr, o *object, p *value, i int) value {
	size := int64(in.Type.Size())
	v := value{bits: make([]uint64, w.lanes), until: steady, from: o.from | p.from}
	for m := p.known; m != 0; m &= m - 1 {
		l := trailing(m)
		_, at := place(p.at(l))
		at += int64(i) * size
		if u, ok := o.get(l, at, in.Type); ok {
			v.known |= 1 << l
			v.bits[l] = u
		}
	}
	for l := range w.followed { // what an array holds is not followed over iterations
		v.until[l] = 0
	}
	v.compact(w.all)
	return v
}

func (o *object) get(lane int, at int64, t lower.Type) (uint64, bool) {
	size := int64(t.Size())
	if lane >= len(o.bytes) || at < 0 || at+size > int64(len(o.bytes[lane])) {
		return 0, false
	}
	for _, k := range o.known[lane][at : at+size] {
		if !k {
			return 0, false
		}
	}
	return element(o.bytes[lane][at:], t), true
}

// store executes a store of lanes: what private arrays hold changes.
func (w *warp) store(in *ir.Instr, mask uint64) {
	p := w.value(in.Args[0])
	if p.known&mask != mask {
		if in.Space == idg.SpacePrivate || in.Space == 0 {
			clear(w.memory)
		}
		return
	}
	o := w.private(p)
	if o == nil {
		return
	}
	size, sure := int64(in.Type.Size()), ^w.unsure
	for _, u := range w.undecided {
		sure &^= u.open
	}
	for i, a := range in.Args[1:] {
		x := w.value(a)
		o.from |= x.from
		for m := mask; m != 0; m &= m - 1 {
			l := trailing(m)
			_, at := place(p.at(l))
			o.put(l, at+int64(i)*size, in.Type, x, w.lanes, sure)
		}
	}
}

// put stores an element of a lane, which is not known behind the store unless it is sure that the lane executes it.
func (o *object) put(lane int, at int64, t lower.Type, x *value, lanes int, sure uint64) {
	if at < 0 || at > maxPrivate-8 {
		return
	}
	if o.bytes == nil {
		o.bytes, o.known = make([][]byte, lanes), make([][]bool, lanes)
	}
	size := int64(t.Size())
	if n := at + size; n > int64(len(o.bytes[lane])) {
		o.bytes[lane] = append(o.bytes[lane], make([]byte, n-int64(len(o.bytes[lane])))...)
		o.known[lane] = append(o.known[lane], make([]bool, n-int64(len(o.known[lane])))...)
	}
	known := (x.known&sure)>>lane&1 == 1
	var u uint64
	if known {
		u = memoryBits(t, x.at(lane))
	}
	for b := range size {
		o.bytes[lane][at+b], o.known[lane][at+b] = byte(u>>(8*b)), known
	}
}

// memoryBits are the bits that memory has of a lane value: halves are kept as floats.
func memoryBits(t lower.Type, v uint64) uint64 {
	if t.IsHalf() {
		return lower.ConstFloat(t, float64(math.Float32frombits(uint32(v)))).Bits
	}
	return v
}
