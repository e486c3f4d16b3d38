package idg

import (
	"cmp"
	"errors"
	"io"
	"math"
)

// Default limits of a reader.
const (
	DefaultMaxNodes     = 50_000_000 // 200 MB, and what differs among them
	DefaultEdgesPerNode = 4          // limit on dependences, times the limit on nodes
)

// DecodeOptions are the name and the limits of a reader. The zero value takes
// the defaults.
type DecodeOptions struct {
	// Name is the input's name in error positions; empty = "<stdin>".
	Name string
	// MaxNodes limits the instructions of all programs together, those in
	// repetitions counted once; 0 = DefaultMaxNodes.
	MaxNodes int64
	// MaxEdges limits the dependences of these instructions; 0 =
	// DefaultEdgesPerNode × MaxNodes.
	MaxEdges int64
}

// Validate checks the limits.
func (o DecodeOptions) Validate() error {
	if o.MaxNodes < 0 || o.MaxEdges < 0 {
		return errors.New("idg: limits of a reader cannot be negative")
	}
	return nil
}

// Decode reads a JSON document, version 1, with the default limits; name is the
// input's name in error positions. It accepts any layout and order of keys and
// ignores unknown ones.
//
// What is wrong with the input is a *diag.Error with its position and one of
// the IDG codes. Memory grows with the graph and never with a number that the
// document merely claims.
func Decode(r io.Reader, name string) (*Graph, error) {
	return DecodeOptions{Name: name}.Decode(r)
}

// Decode reads a JSON document, version 1. See the function Decode.
func (o DecodeOptions) Decode(r io.Reader) (*Graph, error) {
	s, err := o.Documents(r)
	if err != nil {
		return nil, err
	}
	g, err := s.Next()
	if errors.Is(err, io.EOF) {
		s.in.fail(s.in.pos(), CodeSyntax, "the input is empty; an IDG document is expected")
	} else if s.in.peek(); s.in.err == nil && (s.ahead != nil || s.in.at < s.in.end) {
		s.in.unexpected("the end of the input")
	}
	if s.in.err != nil {
		return nil, s.in.err
	}
	return g, err
}

// Documents reads documents that stand one after the other in an input.
type Documents struct {
	in    lexer
	opt   DecodeOptions
	ahead *Graph // that has been read
}

// Documents starts to read an input. Errors are those of Validate.
func (o DecodeOptions) Documents(r io.Reader) (*Documents, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	// A program numbers its stored instructions and dependences with 32 bits.
	o.MaxNodes = min(cmp.Or(o.MaxNodes, DefaultMaxNodes), math.MaxUint32)
	o.MaxEdges = min(cmp.Or(o.MaxEdges, DefaultEdgesPerNode*o.MaxNodes), math.MaxUint32)
	return &Documents{in: newLexer(r, cmp.Or(o.Name, "<stdin>")), opt: o}, nil
}

// Next reads a graph with its variants, as the function Decode does. The error is io.EOF behind the last one.
func (s *Documents) Next() (g *Graph, err error) {
	if g, s.ahead = s.ahead, nil; g == nil {
		if g, err = s.document(); err != nil {
			return nil, err
		}
	}
	for {
		next, err := s.document()
		switch {
		case err != nil: // the next call has it again
			return g, nil
		case next.Variant == "":
			s.ahead = next
			return g, nil
		}
		g.Variants = append(g.Variants, next)
	}
}

// document reads a document.
func (s *Documents) document() (*Graph, error) {
	if s.in.peek() == 0 && s.in.err == nil && s.in.at == s.in.end {
		return nil, io.EOF
	}
	d := &decoder{
		lexer:    s.in,
		opt:      s.opt,
		g:        &Graph{},
		strings:  map[string]string{},
		classes:  reference{what: "instruction class", known: -1},
		patterns: reference{what: "access", known: -1},
	}
	d.document()
	s.in = d.lexer
	if d.err != nil {
		return nil, d.err
	}
	return d.g, nil
}

// decoder reads the parts of a graph.
type decoder struct {
	lexer
	opt DecodeOptions
	g   *Graph

	nodes, edges int64 // of the programs read before the current one

	bodies []openBody // the repetitions around the next instruction, outermost first
	outer  []place    // where the outermost repetitions of the program begin
	from   []Executed // producers of the instruction that is read
	row    []Producer // how they are named

	classes, patterns reference
	strings           map[string]string // short strings, each kept once

	start  Pos                   // of the document
	places [partKind + 1][]place // where each part's elements begin
}

// place is a line and column of the input.
type place struct{ line, column uint32 }

func (d *decoder) place() place {
	p := d.startOf()
	return place{uint32(p.Line), uint32(p.Column)}
}

// reference checks ids that may stand before what they name.
type reference struct {
	what  string
	known int64 // how many there are; -1 = not read yet
	max   uint32
	at    Pos // of the largest id
}

// id reads an id.
func (d *decoder) id(r *reference) uint32 {
	at := d.startOf()
	id := uint32(d.integer(r.what, 1, math.MaxUint32))
	if id > r.max {
		r.max, r.at = id, at
	}
	d.check(r)
	return id
}

func (d *decoder) check(r *reference) {
	if r.known >= 0 && int64(r.max) > r.known {
		d.fail(r.at, CodeBroken, "%s %d of %d", r.what, r.max, r.known)
	}
}

// define sets how many things there are to refer to.
func (d *decoder) define(r *reference, n int) {
	r.known = int64(n)
	d.check(r)
}

const documentName = "an IDG document"

func (d *decoder) document() {
	d.start = d.pos()
	d.into(documentName, append([]keyed{
		{key: "format", must: true, code: CodeVersion, read: (*decoder).format}, // without: another program's JSON
		{key: "version", must: true, code: CodeVersion, read: (*decoder).version},
	}, d.g.members(false)...))
	if d.err != nil {
		return
	}
	if v := d.g.violation(); v != nil {
		d.fail(d.placeOf(v), CodeBroken, "%s", v.text)
	}
}

// placeOf is where the element that violates an invariant begins, or the document
// if there is no element.
func (d *decoder) placeOf(v *violation) Pos {
	if at := d.places[v.part]; v.index < len(at) {
		return Pos{File: d.name, Line: int(at[v.index].line), Column: int(at[v.index].column)}
	}
	return d.start
}

// Format and Version mark the documents that this package writes.
const (
	Format  = "idg"
	Version = 1
)

func (d *decoder) format() {
	at := d.startOf()
	if f := d.quoted("the format"); d.err == nil && string(f) != Format {
		d.fail(at, CodeVersion, "the format is %q; %q is expected", f, Format)
	}
}

func (d *decoder) version() {
	at := d.startOf()
	if v := d.integer("the version", 0, math.MaxInt64); d.err == nil && v != Version {
		d.fail(at, CodeVersion, "version %d of the IDG format; this program reads version %d", v, Version)
		d.err.WithNote("make the graph again with the idgen that came with this program")
	}
}

// text reads a string. Short strings, which recur, are kept once.
func (d *decoder) text(what string) string {
	b := d.quoted(what)
	if len(b) > 64 {
		return string(b)
	}
	s, ok := d.strings[string(b)]
	if !ok {
		s = string(b)
		d.strings[s] = s
	}
	return s
}
