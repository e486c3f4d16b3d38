package executed

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/translate"
	"gpupipe/unroll"
)

// source is an OpenCL file. What has to be known besides stands in lines of their own, comments in
// files written for this test, lines of a list (sayings) for others:
//
//	differs -O2: REASON           why the counts of a level are not equal
//	data BUFFER iota|mod|const|bits N  what a buffer holds: i, 7i modulo N, N, what has the bits N
//	size BUFFER BYTES             how long it is
//	local 8x8; groups 2x3         the launch, where the source's is too large or there is none
//	arg NAME VALUE
//	define MACRO=VALUE
type source struct {
	name    string // for the table
	text    string
	dir     string // for what it includes; empty: nothing
	defines []string
	only    string // the kernel to compare; empty: all
	said    sayings
}

// argument is what a kernel is launched with.
type argument struct {
	name          string
	buffer, local bool
	data          []byte
	value         unroll.ArgValue // of a number, and of each component of a vector
}

// kernelCase is a kernel with its launch.
type kernelCase struct {
	name          string
	source        *source
	fn            *ast.Function
	lowered       *lower.Kernel
	local, groups [3]int64
	args          []argument
	reasons       map[level]string
}

// Defaults of what a kernel does not say: the launch by dimensions, the bytes of a buffer, an integer.
var (
	defaultLocal  = [4][3]int64{1: {64, 1, 1}, 2: {16, 8, 1}, 3: {8, 4, 2}}
	defaultGroups = [4][3]int64{1: {3, 1, 1}, 2: {3, 2, 1}, 3: {2, 2, 2}}
)

const (
	defaultBytes      = 1 << 16
	defaultLocalBytes = 1 << 12
	defaultInteger    = 16
	defaultFloat      = 0.5
	// mostGroups is how many groups in a dimension are all told apart (unroll.EdgeGroups).
	mostGroups = 3
)

var saidLine = regexp.MustCompile(`(?m)^// ((?:differs|data|size|local|groups|arg|define)\b.*)$`)

// cases reads the kernels of a source.
func cases(s *source) (list []*kernelCase, err error) {
	var own []string
	for _, m := range saidLine.FindAllStringSubmatch(s.text, -1) {
		own = append(own, m[1])
	}
	for _, line := range append(own, s.said.of(s.name)...) {
		if d, ok := strings.CutPrefix(line, "define "); ok {
			s.defines = append(s.defines, d)
		}
	}
	cfg := frontend.Config{File: path.Base(s.name), Text: s.text, Dialect: ast.OpenCL, Defines: s.defines}
	if s.dir != "" {
		cfg.FS = os.DirFS(s.dir)
	}
	unit, err := frontend.Parse(cfg)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	for _, fn := range unit.Kernels {
		if s.only != "" && s.only != fn.Name {
			continue
		}
		c := &kernelCase{name: s.name, source: s, fn: fn, reasons: map[level]string{}}
		if s.only == "" && len(unit.Kernels) > 1 {
			c.name += " " + fn.Name
		}
		if slices.ContainsFunc(fn.Params, func(p *ast.Object) bool { return p.Type.Kind == ctypes.Opaque }) {
			continue // oclgrind-kernel makes no images
		}
		if c.lowered, err = translate.Kernel(unit, fn); err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		if err := c.prepare(append(own, s.said.of(c.name)...)); err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		list = append(list, c)
	}
	return list, nil
}

// prepare makes the launch and the arguments.
func (c *kernelCase) prepare(said []string) error {
	dims := 1
	lower.Walk(c.lowered.Body, func(s lower.Stmt) {
		if in, ok := s.(*lower.Instr); ok && in.Op == lower.Index && in.Dim < 3 {
			dims = max(dims, in.Dim+1)
		}
	})
	c.local, c.groups = defaultLocal[dims], defaultGroups[dims]
	if c.fn.WorkGroupSize[0] > 0 {
		c.local = c.fn.WorkGroupSize
	}
	given := map[string]ctypes.Value{}
	if d := c.fn.Launch; d != nil {
		for i := range 3 {
			c.local[i], c.groups[i] = at(d.Local, i), at(d.Groups, i)
			if d.Global != nil {
				c.groups[i] = at(d.Global, i) / c.local[i]
			}
		}
		for _, a := range d.Args {
			given[a.Name] = a.Value
		}
	}
	var sizes []bufferSize
	contents := map[string]pattern{}
	for _, line := range said {
		if err := c.heed(line, given, &sizes, contents); err != nil {
			return fmt.Errorf("%q: %w", line, err)
		}
	}
	for i := range c.groups {
		c.groups[i] = min(c.groups[i], mostGroups)
	}
	for _, p := range c.fn.Params {
		a, err := newArgument(p, given, sizes, contents)
		if err != nil {
			return err
		}
		c.args = append(c.args, a)
	}
	return nil
}

// heed takes in what is said of a kernel.
func (c *kernelCase) heed(line string, given map[string]ctypes.Value, sizes *[]bufferSize,
	contents map[string]pattern) (err error) {
	if what, reason, ok := strings.Cut(line, ": "); ok {
		for _, l := range levels {
			if what == "differs "+l.String() {
				c.reasons[l] = reason
			}
		}
		return nil
	}
	switch f := strings.Fields(line); f[0] {
	case "local":
		_, err = fmt.Sscanf(f[1]+"x1x1", "%dx%dx%d", &c.local[0], &c.local[1], &c.local[2])
	case "groups":
		_, err = fmt.Sscanf(f[1]+"x1x1", "%dx%dx%d", &c.groups[0], &c.groups[1], &c.groups[2])
	case "size":
		b := bufferSize{pattern: f[1]}
		b.bytes, err = strconv.ParseInt(f[2], 0, 64)
		*sizes = append(*sizes, b)
	case "data":
		p := pattern{kind: f[2]}
		if len(f) > 3 {
			p.n, err = strconv.ParseInt(f[3], 0, 64)
		}
		contents[f[1]] = p
	case "arg":
		v := ctypes.Value{Type: ctypes.Scalar(ctypes.Double)}
		v.Float, err = strconv.ParseFloat(f[2], 64)
		v.Int = int64(v.Float)
		given[f[1]] = v
	}
	return err
}

func at(sizes []int64, i int) int64 {
	if i < len(sizes) {
		return sizes[i]
	}
	return 1
}

// bufferSize is the length of the buffers whose names match.
type bufferSize struct {
	pattern string
	bytes   int64
}

// pattern says what a buffer holds.
type pattern struct {
	kind string
	n    int64
}

// at is element i; without a pattern, small integers that are not in order.
func (p pattern) at(i int64) int64 {
	switch p.kind {
	case "iota":
		return i
	case "mod":
		return i * 7 % p.n
	case "const":
		return p.n
	}
	return i * 7 % 61
}

// newArgument makes a parameter's argument.
func newArgument(p *ast.Object, given map[string]ctypes.Value, sizes []bufferSize,
	contents map[string]pattern) (argument, error) {
	a := argument{name: p.Name}
	if p.Type.Kind == ctypes.Pointer {
		a.buffer, a.local = true, p.Type.Space == idg.SpaceLocal
		n := int64(defaultBytes)
		if a.local {
			n = defaultLocalBytes
		}
		for _, s := range sizes {
			if ok, err := path.Match(s.pattern, p.Name); ok && err == nil {
				n = s.bytes
			}
		}
		a.data = contents[p.Name].fill(p.Type.Elem, n)
		return a, nil
	}
	element := p.Type.Base()
	if !element.IsScalar() {
		return a, fmt.Errorf("%s is a %v", p.Name, p.Type)
	}
	v, ok := given[p.Name]
	if !ok {
		v = ctypes.Value{Type: ctypes.Scalar(ctypes.Int), Int: defaultInteger, Float: defaultFloat}
	} else if !v.Type.IsFloat() {
		v.Float = float64(v.Int)
	}
	a.value = unroll.ArgValue{Int: v.Int, Float: v.Float, IsFloat: element.IsFloat()}
	for range p.Type.Size() / element.Size() {
		a.data = appendNumber(a.data, element, v.Int, v.Float)
	}
	return a, nil
}

// fill makes n bytes of elements: floating numbers that hold i are i/64 + 1/4.
func (p pattern) fill(element *ctypes.Type, n int64) []byte {
	element = element.Base()
	if !element.IsScalar() {
		element = ctypes.Scalar(ctypes.Int)
	}
	var b []byte
	for i := int64(0); int64(len(b)) < n; i++ {
		if p.kind == "bits" {
			b = append(b, binary.LittleEndian.AppendUint64(nil, uint64(p.n))[:element.Size()]...)
		} else {
			b = appendNumber(b, element, p.at(i), float64(p.at(i))/64+0.25)
		}
	}
	return b[:n]
}

func appendNumber(b []byte, t *ctypes.Type, i int64, f float64) []byte {
	switch {
	case t.Kind == ctypes.Half: // 1 + i/64, by its fields
		return binary.LittleEndian.AppendUint16(b, uint16(0x3c00+(i&63)*16))
	case t.Kind == ctypes.Float:
		return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(f)))
	case t.Kind == ctypes.Double:
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(f))
	}
	return append(b, binary.LittleEndian.AppendUint64(nil, uint64(i))[:t.Size()]...)
}

// component returns the value of a parameter of the lowered kernel that is the argument or a
// component of it.
func (a *argument) component(name string) (unroll.ArgValue, bool) {
	base, _, _ := strings.Cut(name, ".")
	return a.value, base == a.name
}

// simulation is the launch as oclgrind-kernel reads it.
func (c *kernelCase) simulation(bitcode string) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n%s\n%d %d %d\n%d %d %d\n", bitcode, c.fn.Name,
		c.local[0]*c.groups[0], c.local[1]*c.groups[1], c.local[2]*c.groups[2], c.local[0], c.local[1], c.local[2])
	for _, a := range c.args {
		if a.local {
			fmt.Fprintf(&b, "<size=%d>\n", len(a.data))
			continue
		}
		switch len(a.data) % 4 {
		case 0:
			fmt.Fprintf(&b, "<size=%d uint hex>\n", len(a.data))
			for i := 0; i < len(a.data); i += 4 {
				fmt.Fprintf(&b, "%x ", binary.LittleEndian.Uint32(a.data[i:]))
			}
		case 2:
			fmt.Fprintf(&b, "<size=%d ushort hex>\n", len(a.data))
			for i := 0; i < len(a.data); i += 2 {
				fmt.Fprintf(&b, "%x ", binary.LittleEndian.Uint16(a.data[i:]))
			}
		default:
			fmt.Fprintf(&b, "<size=%d uchar>\n%d", len(a.data), a.data[0])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// execute returns what a launch executes in oclgrind of the code that clang compiles.
func (c *kernelCase) execute(tc toolchain, dir string, l level) (n counts, err error) {
	bitcode, err := tc.compile(dir, c.source, l)
	if err != nil {
		return n, err
	}
	sim := filepath.Join(dir, "k.sim")
	if err := os.WriteFile(sim, []byte(c.simulation(bitcode)), 0o600); err != nil {
		return n, err
	}
	out, err := pipe(tc.oclgrind, "", "--inst-counts", "--num-threads", "1", "--max-errors", "1", sim)
	if err != nil {
		return n, err
	}
	return readHistogram(out)
}
