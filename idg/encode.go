package idg

import (
	"io"
	"strconv"
	"unicode/utf8"
)

// EncodeOptions choose between forms of the JSON document. Every form reads back
// as the same graph.
type EncodeOptions struct {
	// Fold writes the repetitions of the program once, with a count: a loop of many
	// iterations takes the space of a few. Off, each executed instruction has its line,
	// and all dependences are distances.
	Fold bool
}

// Encode writes the graph as a JSON document, version 1, one instruction on
// a line and unfolded. Equal graphs give equal bytes. Bytes of the source text
// that are not UTF-8 become U+FFFD.
func Encode(w io.Writer, g *Graph) error { return EncodeOptions{}.Encode(w, g) }

// Encode writes the graph as a JSON document, version 1, in the chosen form.
func (o EncodeOptions) Encode(w io.Writer, g *Graph) error {
	e := &encoder{w: w, buf: make([]byte, 0, 2*flushSize)}
	e.raw("{\n")
	e.header(g)
	writeList(e, "accesses", g.accesses, e.access)
	e.raw(",\n")
	writeList(e, "instructions", g.instrs, e.instr)
	e.raw(",\n")
	e.locality(g)
	writeList(e, "warps", g.programs, func(p **Program) { e.program(*p, o.Fold) })
	e.kinds(g, o.Fold)
	e.raw("\n}\n")
	e.flush()
	return e.err
}

// flushSize is how many bytes are collected for one Write.
const flushSize = 32 << 10

// encoder appends JSON to a buffer that it writes out from time to time.
type encoder struct {
	w   io.Writer
	buf []byte
	err error

	written lineTexts // of the program that is being written
	row     []Producer
}

func (e *encoder) raw(s string) { e.buf = append(e.buf, s...) }

// spill keeps the buffer from growing; it is called between elements.
func (e *encoder) spill() {
	if len(e.buf) >= flushSize {
		e.flush()
	}
}

func (e *encoder) flush() {
	if e.err == nil {
		_, e.err = e.w.Write(e.buf)
	}
	e.buf = e.buf[:0]
}

// key begins a member of an object, after a comma unless it is the first.
func (e *encoder) key(k string) {
	if e.buf[len(e.buf)-1] != '{' {
		e.buf = append(e.buf, ',')
	}
	e.buf = append(e.buf, '"')
	e.buf = append(e.buf, k...)
	e.buf = append(e.buf, '"', ':')
}

func (e *encoder) text(k, s string) {
	e.key(k)
	e.buf = appendString(e.buf, s)
}

func (e *encoder) number(k string, n int64) {
	e.key(k)
	e.buf = strconv.AppendInt(e.buf, n, 10)
}

func (e *encoder) boolean(k string, b bool) {
	e.key(k)
	e.buf = strconv.AppendBool(e.buf, b)
}

// optional writes a text member unless the text is empty.
func (e *encoder) optional(k, s string) {
	if s != "" {
		e.text(k, s)
	}
}

func (e *encoder) numbers(k string, ns []int64) {
	e.key(k)
	e.buf = append(e.buf, '[')
	for i, n := range ns {
		if i > 0 {
			e.buf = append(e.buf, ',')
		}
		e.buf = strconv.AppendInt(e.buf, n, 10)
	}
	e.buf = append(e.buf, ']')
}

func (e *encoder) texts(k string, list []string) {
	e.key(k)
	e.raw("[")
	for i, s := range list {
		if i > 0 {
			e.raw(",")
		}
		e.buf = appendString(e.buf, s)
	}
	e.raw("]")
}

// position writes a position unless there is none.
func (e *encoder) position(p Pos) {
	if p == (Pos{}) {
		return
	}
	e.key("pos")
	e.raw("{")
	e.text("file", p.File)
	e.number("line", int64(p.Line))
	if p.Column != 0 {
		e.number("column", int64(p.Column))
	}
	e.raw("}")
}

// writeList writes a member that is a list of objects, each on a line.
func writeList[T any](e *encoder, k string, list []T, element func(*T)) {
	e.raw(`"` + k + `":[`)
	for i := range list {
		if i > 0 {
			e.raw(",")
		}
		e.raw("\n{")
		element(&list[i])
		e.raw("}")
		e.spill()
	}
	if len(list) > 0 {
		e.raw("\n")
	}
	e.raw("]")
}

// header writes what stands before the access patterns, with the comma.
func (e *encoder) header(g *Graph) {
	e.raw(`"format":"` + Format + `","version":`)
	e.buf = strconv.AppendInt(e.buf, Version, 10)
	e.raw(",\n\"source\":{")
	e.text("file", g.Source.File)
	e.text("dialect", g.Source.Dialect)
	e.text("sha256", g.Source.SHA256)
	e.texts("defines", g.Source.Defines)
	e.text("text", g.Source.Text)
	e.raw("},\n\"kernel\":")
	e.buf = appendString(e.buf, g.Kernel)
	e.raw(",\n\"level\":")
	e.buf = appendString(e.buf, g.Level)
	e.raw(",\n\"compiler\":")
	e.buf = appendString(e.buf, g.Compiler)
	if g.MachineCode {
		e.raw(",\n\"machine_code\":true")
	}
	if g.GPU != "" {
		e.raw(",\n\"gpu\":")
		e.buf = appendString(e.buf, g.GPU)
	}
	e.raw(",\n\"launch\":{")
	e.numbers("local", g.Launch.Local[:])
	e.numbers("groups", g.Launch.Groups[:])
	e.number("warp_size", int64(g.Launch.WarpSize))
	e.raw(",")
	writeList(e, "args", g.Launch.Args, func(a *Arg) {
		e.text("name", a.Name)
		e.text("value", a.Value)
		e.boolean("assumed", a.Assumed)
	})
	e.raw("},\n\"resources\":{")
	e.number("local_bytes", g.Resources.LocalBytes)
	e.number("registers", int64(g.Resources.Registers))
	e.boolean("registers_estimated", g.Resources.RegistersEstimated)
	if g.Resources.PrivateBytes > 0 {
		e.number("private_bytes", g.Resources.PrivateBytes)
	}
	if g.Resources.SpilledBytes > 0 {
		e.number("spilled_bytes", g.Resources.SpilledBytes)
	}
	if g.Resources.Unbounded > 0 {
		e.number("unbounded_registers", int64(g.Resources.Unbounded))
	}
	e.raw("},\n")
	writeList(e, "loops", g.Loops, e.loop)
	e.raw(",\n")
	writeList(e, "branches", g.Branches, e.branch)
	e.raw(",\n")
	writeList(e, "notes", g.Notes, func(n *Note) {
		e.text("code", n.Code)
		e.text("text", n.Text)
		e.optional("advice", n.Advice)
		e.position(n.Pos)
	})
	e.raw(",\n")
}

func (e *encoder) loop(l *Loop) {
	e.text("kind", l.Kind)
	e.position(l.Pos)
	e.number("depth", int64(l.Depth))
	e.optional("pragma", l.Pragma)
	e.number("trips", l.Trips)
	e.text("origin", l.Origin)
	e.number("executed", l.Executed)
	e.number("factor", l.Factor)
	e.boolean("full", l.Full)
	e.number("remainder", l.Remainder)
	e.text("reason", l.Reason)
}

func (e *encoder) branch(b *Branch) {
	e.text("kind", b.Kind)
	e.position(b.Pos)
	e.text("decision", b.Decision)
	e.text("origin", b.Origin)
	e.number("executed", b.Executed)
	e.divergence(b.Divergence)
}

func (e *encoder) access(a *Access) {
	e.text("space", a.Space.String())
	e.number("width", int64(a.Width))
	e.boolean("store", a.Store)
	e.optional("buffer", a.Buffer)
	if a.Known() {
		e.numbers("offsets", a.Offsets)
	}
	e.optional("assumed", a.Assumed)
	if a.Within != 0 {
		e.number("within", a.Within)
	}
	if a.Near != 0 {
		e.number("near", a.Near)
	}
	if a.Places != 0 {
		e.number("places", a.Places)
	}
	if a.Same {
		e.boolean("same", true)
	}
}

func (e *encoder) instr(in *Instr) {
	e.text("op", in.Op)
	e.optional("type", in.Type)
	if in.Access != 0 {
		e.number("access", int64(in.Access))
	}
	e.number("lanes", int64(in.Lanes))
	e.position(in.Pos)
}

// appendString appends s as a JSON string. What JSON or UTF-8 does not allow is
// escaped or replaced by U+FFFD.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	start := 0 // of the bytes not yet appended
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				b = append(append(b, s[start:i]...), "\uFFFD"...)
				start = i + 1
			}
			i += n
			continue
		}
		i++
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[start:i-1]...)
		start = i
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(append(b, s[start:]...), '"')
}
