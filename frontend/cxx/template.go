package cxx

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
// template has already been passed, is written out by parsing again: Instances
// is what one round leaves to the next.

// Bounds that recursion without an end runs into: how often a file is written
// out in one go, read, and parsed to find its template arguments, and how many
// copies are made.
const (
	maxWrites    = 24
	MaxLoads     = 6
	MaxRounds    = 12
	MaxInstances = 200
)

// TemplateKind is what a template makes.
type TemplateKind uint8

// The kinds.
const (
	TemplateFunction TemplateKind = iota + 1 // of device code
	templateKernel
	templateStruct
	templateVariable // of device code, or a constant
	templateHost     // a function of host code: only its launches count
)

// Template is a template of the user's.
type Template struct {
	Kind       TemplateKind
	Name       string
	src        *source.File
	text       *source.File // src as it was when the template was found
	start, end int          // tokens of the whole declaration, in text
	body       int          // the token behind the parameters
	nameTok    int
	Params     []Param
	pattern    [][]string // of a partial specialisation: its arguments of the primary template
	Problem    string     // why it cannot be written out
}

// Param is a parameter of a template.
type Param struct {
	Name       string
	IsType     bool
	isBool     bool
	of         string // the first word of its type
	isTemplate bool
	isFunction bool     // a pointer to a function: its argument is a function's name
	Preset     []string // words of the default argument
}

// pos is where the template is declared.
func (t *Template) pos() diag.Pos { return t.text.LogicalPos(int(t.text.Tokens[t.start].Start)) }

// Instances are the template arguments in use.
type Instances struct {
	Requests map[string][]*Instance // by template, in order of discovery
	Mangled  map[string]*Instance   // by the name of the copy
	partial  map[string]partialCall // by the name in a call that gives some arguments only
	Count    int
	chosen   bool                // the arguments of the kernels
	spaces   map[string][]string // the namespaces that declare a name
	// Namespaces are the parts of the names of all namespaces.
	Namespaces map[string]bool
	newClash   bool // a name has turned out to have several meanings
	// homes are the sources that copies are written in, where these are not their templates' (template_foreign.go).
	homes   map[string]string
	newHome bool // a copy has turned out to be one of these
	copying *Instance
	Notes   diag.List
	Assumed AssumedTypes
}

// Instance is one list of arguments of a template.
type Instance struct {
	Template string
	Args     []string // canonical
	Name     string   // of the copy
	// needs are other copies of the same template that this one uses.
	needs []*Instance
}

// need notes that the copy being written uses another one of its template.
func (n *Instances) need(i *Instance) {
	if c := n.copying; c != nil && c != i && c.Template == i.Template && !slices.Contains(c.needs, i) {
		c.needs = append(c.needs, i)
	}
}

// allNeeds are the copies that a copy needs, and those that these do, each behind what it needs.
func (n *Instances) allNeeds(i *Instance) (list []*Instance) {
	seen := map[*Instance]bool{i: true}
	var visit func(*Instance)
	visit = func(of *Instance) {
		for _, need := range of.needs {
			if !seen[need] {
				seen[need] = true
				visit(need)
				list = append(list, need)
			}
		}
	}
	visit(i)
	return list
}

// inOrderOfNeed lists the copies of a template; those of structs stand behind the ones that they need.
func (n *Instances) inOrderOfNeed(t *Template) (list []*Instance) {
	if t.Kind != templateStruct {
		return n.Requests[t.Name]
	}
	seen := map[*Instance]bool{}
	for _, i := range n.Requests[t.Name] {
		for _, of := range append(n.allNeeds(i), i) {
			if !seen[of] {
				seen[of] = true
				list = append(list, of)
			}
		}
	}
	return list
}

// partialCall is f<16>(x) where x decides the rest of the arguments.
type partialCall struct {
	template string
	args     []string
}

// Reread reports, once, whether something has turned out that asks for reading the files again.
func (n *Instances) Reread() bool {
	again := n.newClash || n.newHome
	n.newClash, n.newHome = false, false
	return again
}

// NewInstances is what is in use before anything has been read.
func NewInstances() *Instances {
	return &Instances{Requests: map[string][]*Instance{}, Mangled: map[string]*Instance{}, partial: map[string]partialCall{}, spaces: map[string][]string{}, Namespaces: map[string]bool{}, homes: map[string]string{}, Assumed: newAssumedTypes()}
}

// Display is a name as a user writes it: f<float, 16> for a copy, P::f for a
// member function.
func (n *Instances) Display(name string) string {
	if i := n.Mangled[name]; i != nil {
		args := make([]string, len(i.Args))
		for k, arg := range i.Args {
			args[k] = n.displayWords(arg)
		}
		return n.Display(i.Template) + "<" + strings.Join(args, ", ") + ">"
	}
	if of, ok := strings.CutPrefix(name, ConstructorPrefix); ok {
		return n.Display(of)
	}
	if op, ok := strings.CutPrefix(name, OperatorPrefix); ok {
		return "operator " + op
	}
	if of, member, ok := strings.Cut(name, MemberMark); ok && of != "" {
		return n.Display(of) + "::" + member
	}
	if p, ok := n.partial[name]; ok {
		return p.template
	}
	return name
}

// displayWords spells the copies' names in an argument as a user does, and joins the parts of names.
func (n *Instances) displayWords(arg string) string {
	words := strings.Split(arg, " ")
	for i, word := range words {
		if n.Mangled[word] != nil {
			words[i] = n.Display(word)
		}
	}
	return strings.ReplaceAll(strings.Join(words, " "), " :: ", "::")
}

// note says something about the arguments, once: several launches may have it in common.
func (n *Instances) note(e *diag.Error) {
	if !slices.ContainsFunc(n.Notes, func(o *diag.Error) bool { return o.Error() == e.Error() }) {
		n.Notes.Add(e)
	}
}

// Request notes the use of a template with complete arguments and returns the
// copy.
func (n *Instances) Request(name string, args []string) *Instance {
	for _, i := range n.Requests[name] {
		if slices.Equal(i.Args, args) {
			n.need(i)
			return i
		}
	}
	i := &Instance{Template: name, Args: slices.Clone(args), Name: n.freeName(mangle(name, args))}
	n.need(i)
	n.Requests[name] = append(n.Requests[name], i)
	n.Mangled[i.Name] = i
	n.Count++
	return i
}

// freeName makes a name unique: a<b_c> and a<b, c> are two.
func (n *Instances) freeName(name string) string {
	free := name
	for k := 2; n.Mangled[free] != nil; k++ {
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

// Set holds the templates of all files of one round.
type Set struct {
	*Instances
	ByName      map[string][]*Template
	specialised map[string]bool // by the name of the copy: written by the user
	emitted     map[string]bool // by the name of the copy
	passed      map[*Template]bool
	Consts      map[string][]string            // words of the constants' values; nil: several
	functions   map[string]*constexpr.Function // constexpr functions; nil: several
	Types       map[string]typePlace
	enumerators map[string]bool     // names of the constants of enumerations
	Aliases     map[string][]string // words of what a typedef stands for
	// aliasTemplates are the templates of typedefs.
	aliasTemplates map[string]*aliasTemplate
	macros         map[string]bool
	// functionTypes are the typedefs of pointers to functions.
	functionTypes map[string]bool
	Structs       map[string]*Members
	partials      map[string][]*Template // partial specialisations
	methods       map[string][]Param     // function templates that structs have
	launches      []launch               // of kernel templates in host code
	hostCalls     []launch               // of host templates, with their arguments
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
	host *Template
	src  *source.File
	from int // token of the function's start
	at   int
}

// NewSet is a round with the template arguments that earlier ones have found.
func NewSet(n *Instances) *Set {
	return &Set{Instances: n, ByName: map[string][]*Template{}, specialised: map[string]bool{}, emitted: map[string]bool{},
		passed: map[*Template]bool{}, Consts: map[string][]string{}, functions: map[string]*constexpr.Function{}, Types: map[string]typePlace{}, Structs: map[string]*Members{},
		methods: map[string][]Param{}, partials: map[string][]*Template{}, Aliases: map[string][]string{}, macros: map[string]bool{}, enumerators: map[string]bool{}, functionTypes: map[string]bool{}, aliasTemplates: map[string]*aliasTemplate{}}
}

// Find returns a template that takes arguments, or nil.
func (s *Set) Find(name string) *Template {
	for _, t := range s.ByName[name] {
		if t.Kind != templateHost {
			return t
		}
	}
	return nil
}

// Makes reports whether a called name is that of a function template, or of one
// with some of its arguments.
func (s *Set) Makes(name string) bool {
	name, given := s.Called(name)
	if given != nil {
		return true
	}
	t := s.Find(name)
	return t != nil && t.Kind == TemplateFunction
}

// Missing reports whether a copy is asked for that has not been written.
func (s *Set) Missing() bool {
	for name, list := range s.Requests {
		t := s.Find(name)
		if t == nil || !slices.ContainsFunc(s.ByName[name], func(t *Template) bool { return t.Problem == "" }) {
			continue
		}
		for _, i := range list {
			if !s.emitted[i.Name] && !s.specialised[i.Name] {
				return true
			}
		}
	}
	return false
}
