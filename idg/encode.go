package idg

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
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

// Encode writes the graph as a JSON document, version 1, in the chosen form, and its variants behind it.
func (o EncodeOptions) Encode(w io.Writer, g *Graph) error {
	e := &encoder{w: w, buf: make([]byte, 0, 2*flushSize)}
	e.raw(`{` + "\n" + `"format":"` + Format + `","version":` + strconv.Itoa(Version))
	for _, m := range g.members(o.Fold) {
		if !m.spare || !m.zero {
			e.raw(",\n\"" + m.key + "\":")
			m.write(e)
		}
	}
	e.raw("\n}\n")
	e.flush()
	for _, v := range g.Variants {
		if e.err == nil {
			e.err = o.Encode(w, v)
		}
	}
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

// writeList writes a list of objects, each on a line.
func writeList[T any](e *encoder, list []T, element func(*T)) {
	e.raw("[")
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

// text writes s as a JSON string. What JSON or UTF-8 does not allow is escaped or replaced by U+FFFD.
func (e *encoder) text(s string) {
	var quoted bytes.Buffer
	j := json.NewEncoder(&quoted)
	j.SetEscapeHTML(false)
	if err := j.Encode(s); err != nil && e.err == nil {
		e.err = err
	}
	e.buf = append(e.buf, bytes.TrimSuffix(quoted.Bytes(), []byte("\n"))...)
}
