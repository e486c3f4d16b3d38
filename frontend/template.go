package frontend

import (
	"fmt"
	"slices"
	"strings"

	"gpupipe/frontend/constexpr"
	"gpupipe/frontend/source"
	"gpupipe/frontend/tokens"
	"gpupipe/internal/diag"
)

// Templates are written out before anything else is rewritten: where a template
// stands, one copy of its tokens for every list of arguments that the program
// uses, with the parameters replaced, and every use, f<float, 16>, becomes the
// name of its copy, f__float_16. A program that has been written out needs no
// template any more.
//
// Which arguments are used is found in the text where they are written, and in
// typing where they have to be deduced. What is found too late, because the
// template has already been passed, is written out by parsing again: instances
// is what one round leaves to the next.

// Bounds that recursion without an end runs into: how often a file is written
// out in one go, read, and parsed to find its template arguments, and how many
// copies are made.
const (
	maxWrites    = 24
	maxLoads     = 6
	maxRounds    = 12
	maxInstances = 200
)

// templateKind is what a template makes.
type templateKind uint8

const (
	templateFunction templateKind = iota + 1 // of device code
	templateKernel
	templateStruct
	templateVariable // of device code, or a constant
	templateHost     // a function of host code: only its launches count
)

// template is a template of the user's.
type template struct {
	kind       templateKind
	name       string
	src        *source.File
	text       *source.File // src as it was when the template was found
	start, end int          // tokens of the whole declaration, in text
	body       int          // the token behind the parameters
	nameTok    int
	params     []templateParam
	pattern    [][]string // of a partial specialisation: its arguments of the primary template
	problem    string     // why it cannot be written out
}

// templateParam is a parameter of a template.
type templateParam struct {
	name       string
	isType     bool
	isBool     bool
	isTemplate bool
	preset     []string // words of the default argument
}

// pos is where the template is declared.
func (t *template) pos() Pos { return t.text.LogicalPos(int(t.text.Tokens[t.start].Start)) }

// instances are the template arguments in use.
type instances struct {
	requests map[string][]*instance // by template, in order of discovery
	mangled  map[string]*instance   // by the name of the copy
	partial  map[string]partialCall // by the name in a call that gives some arguments only
	count    int
	chosen   bool                // the arguments of the kernels
	spaces   map[string][]string // the namespaces that declare a name
	// namespaces are the parts of the names of all namespaces.
	namespaces map[string]bool
	newClash   bool // a name has turned out to have several meanings
	// homes are the sources that copies are written in, where these are not their templates' (template_foreign.go).
	homes   map[string]string
	newHome bool // a copy has turned out to be one of these
	notes   diag.List
	assumed assumedTypes
}

// instance is one list of arguments of a template.
type instance struct {
	template string
	args     []string // canonical
	name     string   // of the copy
}

// partialCall is f<16>(x) where x decides the rest of the arguments.
type partialCall struct {
	template string
	args     []string
}

func newInstances() *instances {
	return &instances{requests: map[string][]*instance{}, mangled: map[string]*instance{}, partial: map[string]partialCall{}, spaces: map[string][]string{}, namespaces: map[string]bool{}, homes: map[string]string{}, assumed: newAssumedTypes()}
}

// display is a name as a user writes it: f<float, 16> for a copy, P::f for a
// member function.
func (n *instances) display(name string) string {
	if i := n.mangled[name]; i != nil {
		return n.display(i.template) + strings.TrimPrefix(i.String(), i.template)
	}
	if of, ok := strings.CutPrefix(name, constructor); ok {
		return n.display(of)
	}
	if op, ok := strings.CutPrefix(name, operatorFn); ok {
		return "operator " + op
	}
	if of, member, ok := strings.Cut(name, memberMark); ok && of != "" {
		return n.display(of) + "::" + member
	}
	if p, ok := n.partial[name]; ok {
		return p.template
	}
	return name
}

func (i *instance) String() string { return i.template + "<" + strings.Join(i.args, ", ") + ">" }

// request notes the use of a template with complete arguments and returns the
// copy.
func (n *instances) request(name string, args []string) *instance {
	for _, i := range n.requests[name] {
		if slices.Equal(i.args, args) {
			return i
		}
	}
	i := &instance{name, slices.Clone(args), n.freeName(mangle(name, args))}
	n.requests[name] = append(n.requests[name], i)
	n.mangled[i.name] = i
	n.count++
	return i
}

// freeName makes a name unique: a<b_c> and a<b, c> are two.
func (n *instances) freeName(name string) string {
	free := name
	for k := 2; n.mangled[free] != nil; k++ {
		free = fmt.Sprintf("%s_%d", name, k)
	}
	return free
}

// mangle makes an identifier of a template and its arguments.
func mangle(name string, args []string) string {
	var b strings.Builder
	b.WriteString(name + "__")
	for i, a := range args {
		if i > 0 {
			b.WriteByte('_')
		}
		for _, c := range []byte(a) {
			switch {
			case tokens.IsIdentByte(c):
				b.WriteByte(c)
			case c == '*':
				b.WriteByte('P')
			case c == '-':
				b.WriteByte('m')
			}
		}
	}
	return b.String()
}

// templateSet holds the templates of all files of one round.
type templateSet struct {
	*instances
	byName      map[string][]*template
	specialised map[string]bool // by the name of the copy: written by the user
	emitted     map[string]bool // by the name of the copy
	passed      map[*template]bool
	consts      map[string][]string            // words of the constants' values; nil: several
	functions   map[string]*constexpr.Function // constexpr functions; nil: several
	types       map[string]typePlace
	aliases     map[string][]string // words of what a typedef stands for
	macros      map[string]bool
	structs     map[string]*structMembers
	partials    map[string][]*template     // partial specialisations
	methods     map[string][]templateParam // function templates that structs have
	launches    []launch                   // of kernel templates in host code
	hostCalls   []launch                   // of host templates, with their arguments
}

// typePlace is where a struct of the user's ends.
type typePlace struct {
	src *source.File
	end int
}

// launch is a template with arguments in host code.
type launch struct {
	name  string
	words []string // of the template arguments that are given
	// types are those of the function's arguments, nil where one is not known.
	types [][]string
	// host is the template function around it, nil if there is none.
	host *template
	src  *source.File
	from int // token of the function's start
	at   int
}

func newTemplateSet(n *instances) *templateSet {
	return &templateSet{instances: n, byName: map[string][]*template{}, specialised: map[string]bool{}, emitted: map[string]bool{},
		passed: map[*template]bool{}, consts: map[string][]string{}, functions: map[string]*constexpr.Function{}, types: map[string]typePlace{}, structs: map[string]*structMembers{},
		methods: map[string][]templateParam{}, partials: map[string][]*template{}, aliases: map[string][]string{}, macros: map[string]bool{}}
}

// find returns a template that takes arguments, or nil.
func (s *templateSet) find(name string) *template {
	for _, t := range s.byName[name] {
		if t.kind != templateHost {
			return t
		}
	}
	return nil
}

// makes reports whether a called name is that of a function template, or of one
// with some of its arguments.
func (s *templateSet) makes(name string) bool {
	name, given := s.called(name)
	if given != nil {
		return true
	}
	t := s.find(name)
	return t != nil && t.kind == templateFunction
}

// missing reports whether a copy is asked for that has not been written.
func (s *templateSet) missing() bool {
	for name, list := range s.requests {
		t := s.find(name)
		if t == nil || !slices.ContainsFunc(s.byName[name], func(t *template) bool { return t.problem == "" }) {
			continue
		}
		for _, i := range list {
			if !s.emitted[i.name] && !s.specialised[i.name] {
				return true
			}
		}
	}
	return false
}
