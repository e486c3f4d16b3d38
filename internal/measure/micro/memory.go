package micro

import (
	"fmt"
	"strings"

	"gpupipe/internal/measure"
	"gpupipe/internal/measure/driver"
)

// localWords are the words of local memory that lanes read, each the byte offset of its right
// neighbour; 32 lanes with a stride of up to 32 words fit.
const localWords = 1024

// constantWords are those of constant memory.
const constantWords = 64

// memorySteps are the accesses of each chain in a loop's body.
const memorySteps = 32

// localSpec is the microbenchmark of local or constant memory, or nil for other classes.
func localSpec(c measure.Class, d driver.Dialect) *spec {
	s := &spec{typ: word, unroll: memorySteps}
	start := fmt.Sprintf("(lid * %du + 64u * C) %% %du * 4u", max(1, c.Param), localWords)
	first := func(at place, chain int) int { return (at.lid*max(1, c.Param) + 64*chain) % localWords }
	switch {
	case c.Op == "ld.local":
		s.local, s.start = localWords*4, start
		s.setup = fmt.Sprintf(
			"for (uint j = lid; j < %du; j += size) ((LOCAL uint *)table)[j] = (j + 1u) %% %du * 4u;\nBARRIER;\n",
			localWords, localWords)
		s.step = func(x, _ string) string { return x + " = *(LOCAL const uint *)(table + " + x + ")" }
		s.want = func(at place, chain int) float64 {
			return float64((int64(first(at, chain)) + at.steps) % localWords * 4)
		}
	case c.Op == "st.local":
		s.local, s.start = localWords*4, start
		s.step = func(x, _ string) string { return "*(LOCAL volatile uint *)(table + " + x + ") = " + x }
		s.finish = "r0 = *(LOCAL volatile uint *)(table + r0);\n"
		s.want = func(at place, chain int) float64 { return float64(first(at, chain) * 4) }
	case c.Op == "ld.constant":
		s.declare = constantTable()
		s.start = "(uint)a + 4u * C"
		s.step = func(x, _ string) string {
			return x + " = *(CONSTANT_POINTER const uint *)((CONSTANT_POINTER const uchar *)wheel + " + x + ")"
		}
		s.want = func(at place, chain int) float64 { return float64((int64(chain) + at.steps) % constantWords * 4) }
	case c.Name == "atomic.add.local.own", c.Name == "atomic.add.local.same":
		return localAtomic(c.Name == "atomic.add.local.same", d)
	default:
		return nil
	}
	return s
}

// constantTable declares words of constant memory, each the byte offset of its right neighbour.
func constantTable() string {
	var b strings.Builder
	fmt.Fprintf(&b, "CONSTANT uint wheel[%d] = {", constantWords)
	for i := range constantWords {
		fmt.Fprintf(&b, "%d,", (i+1)%constantWords*4)
	}
	b.WriteString("};\n")
	return b.String()
}

// atomicAdd is an atomic addition of 1 at an address, which waits for the last one of its chain: a is 0.
func atomicAdd(x, space, address string, d driver.Dialect) string {
	if d == driver.CUDA {
		return fmt.Sprintf("%s = atomicAdd((uint *)(%s), (%s & a) + 1u)", x, address, x)
	}
	return fmt.Sprintf("%s = atomic_add((volatile %s uint *)(%s), (%s & a) + 1u)", x, space, address, x)
}

func localAtomic(same bool, d driver.Dialect) *spec {
	const most = 4 * 1024 // words: a group of 1024 work items with 4 chains
	s := &spec{typ: word, unroll: memorySteps, local: most * 4, start: "0u"}
	s.setup = fmt.Sprintf("for (uint j = lid; j < %du; j += size) ((LOCAL uint *)table)[j] = 0u;\nBARRIER;\n", most)
	if same {
		s.local = 4
		s.setup = "if (lid == 0u) *(LOCAL uint *)table = 0u;\nBARRIER;\n"
		s.step = func(x, _ string) string { return atomicAdd(x, "__local", "table", d) }
		s.finish = "BARRIER;\nr0 = *(LOCAL uint *)table;\n"
		s.want = func(at place, chain int) float64 {
			if chain > 0 {
				return unspecified
			}
			return float64(uint32(int64(at.size) * at.steps * int64(at.chains)))
		}
		return s
	}
	s.step = func(x, _ string) string {
		return atomicAdd(x, "__local", "table + 4u * (lid + size * "+strings.TrimPrefix(x, "r")+"u)", d)
	}
	s.want = func(at place, _ int) float64 { return float64(at.steps - 1) }
	return s
}

// globalSpec is the microbenchmark of device memory, or nil for other classes.
func globalSpec(c measure.Class, d driver.Dialect, m memory) *spec {
	if strings.HasPrefix(c.Name, "copy.") {
		return globalCopy(c.Param, m)
	}
	if c.Kind == measure.Stream {
		return stream(strings.TrimPrefix(c.Name, "stream."), d, m)
	}
	switch c.Op {
	case "ld.global":
		return globalRead(c, d, m)
	case "st.global":
		return globalWrite(c, d, m)
	case "atomic.add.global":
		return globalAtomic(c.Name == "atomic.add.global.same", d, m)
	}
	return nil
}

// geometry is how a class's lanes lie in device memory: bytes and stride of an element.
func geometry(c measure.Class) (size, stride int) {
	switch {
	case strings.Contains(c.Name, "stride"):
		return 4, c.Param
	default:
		return c.Param, 1
	}
}

// distance is that of a chain's next element: behind those of all other work items, and an odd number of
// lines, so that a chain comes by all lines before it returns.
func distance(m memory, size, stride int) uint32 {
	const line = 128
	return (uint32(m.maxItems*size*stride)/line | 1) * line
}

func globalRead(c measure.Class, d driver.Dialect, m memory) *spec {
	size, stride := geometry(c)
	t := table{elements: m.large / uint32(size), size: size, mul: 1, add: distance(m, size, stride) / uint32(size)}
	switch {
	case strings.HasSuffix(c.Name, ".l2"):
		t.elements, t.add = m.l2/4, spread(m.l2)
	case strings.HasSuffix(c.Name, ".l1"):
		t.elements, t.add = m.l1/4, spread(m.l1)
	case strings.HasSuffix(c.Name, ".random"):
		t.mul, t.add = 1664525, 1013904223 // W. H. Press et al., Numerical Recipes, 7.1: a full period
	case strings.HasSuffix(c.Name, ".misaligned"):
		t.unaligned = 4
	}
	s := &spec{typ: word, unroll: memorySteps, table: t}
	apart := t.elements/mostChains + 128/uint32(size) // of a work item's chains, and another set of lines
	s.start = fmt.Sprintf("(gid * %du + %du * C) %% %du * %du", stride, apart, t.elements, size)
	first := func(at place, chain int) uint32 {
		return (uint32(at.item*stride) + uint32(chain)*apart) % t.elements
	}
	s.want = func(at place, chain int) float64 { return float64(t.after(first(at, chain), at.steps) * uint32(size)) }
	pointer := func(typ, x string) string { return "*(GLOBAL const " + typ + " *)(memory + " + x + ")" }
	switch size {
	case 1, 2: // the bytes are 1: the distance follows from what is read
		typ := map[int]string{1: "uchar", 2: "ushort"}[size]
		s.table.pattern = map[int]uint32{1: 0x01010101, 2: 0x00010001}[size]
		s.a, s.b = float64(t.add)*float64(size), float64(t.elements)*float64(size)-1
		s.step = func(x, _ string) string { return fmt.Sprintf("%s = (%s + %s * a) & b", x, x, pointer(typ, x)) }
	case 4:
		s.step = func(x, _ string) string { return x + " = " + pointer("uint", x) }
		if d == driver.CUDA && strings.HasSuffix(c.Name, ".l2") {
			s.step = func(x, _ string) string {
				return fmt.Sprintf(`asm volatile("ld.cg.u32 %%0, [%%1];" : "=r"(%s) : "l"(memory + %s))`, x, x)
			}
		}
	case 8:
		s.step = func(x, _ string) string {
			return fmt.Sprintf("{ uint2 v = %s; %s = v.x ^ v.y; }", pointer("uint2", x), x)
		}
	default:
		s.step = func(x, _ string) string {
			return fmt.Sprintf("{ uint4 v = %s; %s = v.x ^ v.y ^ v.z ^ v.w; }", pointer("uint4", x), x)
		}
	}
	return s
}

// mostChains are those of a work item, of which each begins in a part of the table of its own.
const mostChains = 4

// spread is the distance in words of a chain's next element in a cache: an odd number of lines near the golden ratio
// of the table, so that no line is soon read again, by this warp or by another.
func spread(bytes uint32) uint32 {
	const line = 128
	return (uint32(float64(bytes)*0.6180339887)/line | 1) * line / 4
}

// after is the element that follows so many steps after one.
func (t table) after(j uint32, steps int64) uint32 {
	if t.mul == 1 {
		return (j + uint32(steps)*t.add) % t.elements
	}
	for range steps {
		j = (j*t.mul + t.add) % t.elements
	}
	return j
}

func globalWrite(c measure.Class, d driver.Dialect, m memory) *spec {
	size, stride := geometry(c)
	apart := distance(m, size, stride)
	s := &spec{typ: word, unroll: memorySteps, a: float64(apart), b: float64(m.large - 1),
		table: table{elements: m.large / 4, size: 4, mul: 1}}
	if strings.HasSuffix(c.Name, ".misaligned") {
		s.table.unaligned = 4
	}
	s.start = fmt.Sprintf("gid * %du & b", size*stride)
	value := map[int]string{4: "%s", 8: "(uint2)(%s)", 16: "(uint4)(%s)"}[size]
	typ := map[int]string{4: "uint", 8: "uint2", 16: "uint4"}[size]
	if d == driver.CUDA {
		value = map[int]string{4: "%[1]s", 8: "make_uint2(%[1]s, %[1]s)",
			16: "make_uint4(%[1]s, %[1]s, %[1]s, %[1]s)"}[size]
	}
	s.step = func(x, _ string) string {
		return fmt.Sprintf("%[1]s = (%[1]s + a) & b; *(GLOBAL %[2]s *)(memory + %[1]s) = %[3]s", x, typ,
			fmt.Sprintf(value, x))
	}
	s.finish = "r0 = *(GLOBAL volatile uint *)(memory + r0);\n" // the last value that was written
	s.want = func(at place, _ int) float64 {
		return float64((uint32(at.item*size*stride)&(m.large-1) + uint32(at.steps)*apart) & (m.large - 1))
	}
	return s
}

// globalCopy copies the upper half of the table, of which each word is the offset of its right neighbour, to the lower.
func globalCopy(size int, m memory) *spec {
	half, typ := m.large/2, map[int]string{4: "uint", 8: "uint2", 16: "uint4"}[size]
	apart := distance(m, size, 1)
	s := &spec{typ: word, unroll: memorySteps, counted: 2, a: float64(apart), b: float64(half - 1),
		table: table{elements: m.large / 4, size: 4, mul: 1, add: 1}, start: fmt.Sprintf("gid * %du & b", size)}
	s.step = func(x, _ string) string {
		return fmt.Sprintf("%[1]s = (%[1]s + a) & b; *(GLOBAL %[2]s *)(memory + %[1]s) = "+
			"*(GLOBAL const %[2]s *)(memory + %[3]du + %[1]s)", x, typ, half)
	}
	s.finish = "r0 = *(GLOBAL volatile uint *)(memory + r0);\n"
	s.want = func(at place, _ int) float64 {
		last := (uint32(at.item*size)&(half-1) + uint32(at.steps)*apart) & (half - 1)
		return float64((half + last + 4) % m.large)
	}
	return s
}

// stream reads or writes the table, or copies its upper half to the lower. Of a table that is read, each element is the
// offset of the next.
func stream(what string, d driver.Dialect, m memory) *spec {
	const size = 16
	half := m.large / 2
	s := &spec{typ: word, rolled: true, start: fmt.Sprintf("gid * %du & %du", size, m.large-1), few: true,
		table: table{elements: m.large / size, size: size, mul: 1, add: 1}}
	at := func(x string) string { return "*(GLOBAL uint4 *)(memory + " + x + ")" }
	own := func(at place) uint32 { return uint32(at.item) * size & (m.large - 1) }
	s.step = func(x, _ string) string { return "{ uint4 v = " + at(x) + "; " + x + " = v.x ^ v.y ^ v.z ^ v.w; }" }
	s.want = func(at place, _ int) float64 { return float64((own(at) + size*uint32(at.steps)) % m.large) }
	switch what {
	case "write":
		s.table.add = 0 // written by the kernel
		value := map[driver.Dialect]string{driver.OpenCL: "(uint4)(%s)", driver.CUDA: "make_uint4(%[1]s, a, a, a)"}[d]
		s.step = func(x, _ string) string { return at(x) + " = " + fmt.Sprintf(value, x) }
		s.want = func(at place, _ int) float64 { return float64(own(at)) }
	case "copy":
		s.counted = 2
		s.start = fmt.Sprintf("gid * %du & %du", size, half-1)
		s.step = func(x, _ string) string { return at(x) + " = " + at(fmt.Sprintf("%du + %s", half, x)) }
		s.want = func(at place, _ int) float64 { return float64(own(at) & (half - 1)) }
	}
	return s
}

func globalAtomic(same bool, d driver.Dialect, m memory) *spec {
	s := &spec{typ: word, unroll: memorySteps, start: "0u", table: table{elements: uint32(4 * m.maxItems), size: 4,
		zero: true}}
	if same {
		s.step = func(x, _ string) string { return atomicAdd(x, "__global", "memory", d) }
		s.sums = true
		s.want = func(place, int) float64 { return unspecified }
		return s
	}
	s.step = func(x, _ string) string {
		return atomicAdd(x, "__global", "memory + 4u * (gid + items * "+strings.TrimPrefix(x, "r")+"u)", d)
	}
	s.want = func(at place, _ int) float64 { return float64(at.steps - 1) }
	return s
}
