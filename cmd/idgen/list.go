package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/generate"
	"gpupipe/lower"
	"gpupipe/unroll"
)

// listing is what --list tells about a source. It is also the JSON document.
type listing struct {
	File    string       `json:"file"`
	Dialect string       `json:"dialect"`
	Kernels []kernelInfo `json:"kernels"`
}

type kernelInfo struct {
	Name      string         `json:"name"`
	Line      int            `json:"line"`
	Column    int            `json:"column"`
	Error     string         `json:"error,omitempty"` // why it was not analysed, or not to the end
	Arguments []argumentInfo `json:"arguments"`
	Required  []int64        `json:"required_local,omitempty"` // reqd_work_group_size
	Launch    *launchInfo    `json:"launch,omitempty"`
	Local     int64          `json:"local_bytes"`
	Loops     []loopInfo     `json:"loops"`
	Branches  []branchInfo   `json:"branches"`
}

type argumentInfo struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	Space  string `json:"address_space,omitempty"` // of what a pointer points to
	Value  string `json:"value,omitempty"`
	Origin string `json:"origin,omitempty"` // of the value
}

type launchInfo struct {
	Local      []int64 `json:"local"`
	LocalFrom  string  `json:"local_from"`
	Groups     []int64 `json:"groups"`
	GroupsFrom string  `json:"groups_from"`
}

type loopInfo struct {
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	File      string `json:"file,omitempty"` // where it is not the source itself
	Kind      string `json:"kind"`
	Depth     int    `json:"depth"`
	Pragma    string `json:"pragma,omitempty"`
	Condition string `json:"condition,omitempty"`
	Trips     *int64 `json:"trips"`            // null: varies, or not known
	Origin    string `json:"origin,omitempty"` // of the trip count
	Factor    int64  `json:"factor,omitempty"`
	Full      bool   `json:"fully_unrolled"`
	Remainder int64  `json:"remainder"`
	Reason    string `json:"reason,omitempty"`
}

type branchInfo struct {
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	File     string `json:"file,omitempty"`
	Kind     string `json:"kind"`
	Decision string `json:"decision,omitempty"`
	Origin   string `json:"origin,omitempty"` // what the decision depends on
	Text     string `json:"text,omitempty"`   // its source line
}

// list writes --list.
func (w writer) list(o *options, p *generate.Program) error {
	s, u := p.Source, p.Unit
	wanted := cmp.Or(o.kernel, s.Function)
	if wanted != "" {
		if _, err := p.Choose(wanted); err != nil {
			return err
		}
	}
	words := w.Words
	l := listing{File: s.File, Dialect: s.Dialect.String(), Kernels: []kernelInfo{}}
	left := o.mostInstructions()
	for _, fn := range u.Kernels {
		if wanted == "" || fn.Name == wanted {
			l.Kernels = append(l.Kernels, describe(o, p, fn, &left))
		}
	}
	if wanted == "" {
		for _, b := range u.Broken {
			l.Kernels = append(l.Kernels, kernelInfo{Name: b.Name, Line: b.Pos.Line, Column: b.Pos.Column,
				Error: b.Err.Error()}.complete())
		}
	}
	return w.Emit(o.output, func(w io.Writer) error {
		if o.format == formatJSON {
			return console.WriteJSON(w, l)
		}
		return l.write(w, words)
	})
}

// mostInstructions is how many instructions a warp may execute.
func (o *options) mostInstructions() int {
	return cmp.Or(o.MaxInstructions, unroll.DefaultMaxInstructions)
}

// complete makes the lists of a kernel empty rather than null.
func (k kernelInfo) complete() kernelInfo {
	if k.Arguments == nil {
		k.Arguments = []argumentInfo{}
	}
	if k.Loops == nil {
		k.Loops = []loopInfo{}
	}
	if k.Branches == nil {
		k.Branches = []branchInfo{}
	}
	return k
}

// leastListed is how many instructions a kernel may execute that is listed behind others.
const leastListed = 20_000

// describe tells about one kernel. One that cannot be resolved is described as
// far as possible. The kernels of a listing share what --max-instructions allows, and left is the rest of it.
func describe(o *options, program *generate.Program, fn *ast.Function, left *int) kernelInfo {
	s := program.Source
	info := kernelInfo{Name: fn.Name, Line: fn.Pos.Line, Column: fn.Pos.Column}
	if fn.WorkGroupSize != [3]int64{} {
		d := generate.AtLeastOne(fn.WorkGroupSize)
		info.Required = d[:]
	}
	for _, p := range fn.Params {
		a := argumentInfo{Name: p.Name, Type: p.Type.String()}
		if p.Type.Kind == ctypes.Pointer && p.Type.Space != 0 {
			a.Space = p.Type.Space.String()
		}
		info.Arguments = append(info.Arguments, a.valued(fn, o))
	}
	l, err := program.Prepare(fn)
	if err != nil {
		info.Error = err.Error()
		return info.complete()
	}
	info.Arguments = withProperties(info.Arguments, fn, l.Lowered, o)
	for i := range info.Arguments {
		info.Arguments[i].launched(l.Launch)
	}
	info.Launch = &launchInfo{l.Launch.Local[:], l.Launch.LocalFrom, l.Launch.Groups[:], l.Launch.GroupsFrom}
	l.Options.Strict = false
	l.Options.MaxInstructions = max(*left, min(leastListed, o.mostInstructions()))
	decided, err := l.Decide()
	*left -= decided.Work
	if err != nil {
		info.Error = l.WithAssumptions(err).Error()
		if l.Options.MaxInstructions < o.mostInstructions() {
			info.Error += fmt.Sprintf("\n\tthe kernels of a listing share --max-instructions: -k %s leaves all of it "+
				"to this one", fn.Name)
		}
	}
	loops, branches := decided.Loops, decided.Branches
	info.Local = decided.LocalBytes
	for i, p := range l.Lowered.Loops {
		loop := loopInfo{Line: p.Pos.Line, Column: p.Pos.Column, File: otherFile(s, p.Pos), Kind: p.Kind,
			Depth: p.Depth, Condition: p.BoundText}
		if p.Pragma != nil {
			loop.Pragma = p.Pragma.Text
		}
		if i < len(loops) {
			loop.decide(&loops[i])
		}
		info.Loops = append(info.Loops, loop)
	}
	for i, b := range l.Lowered.Branches {
		branch := branchInfo{Line: b.Pos.Line, Column: b.Pos.Column, File: otherFile(s, b.Pos), Kind: b.Kind,
			Text: s.Line(b.Pos)}
		if i < len(branches) {
			branch.Decision, branch.Origin = branches[i].Decision, branches[i].Origin
		}
		info.Branches = append(info.Branches, branch)
	}
	return info.complete()
}

func (l *loopInfo) decide(d *idg.Loop) {
	if d.Trips >= 0 {
		l.Trips = &d.Trips
	}
	l.Origin, l.Factor, l.Full, l.Remainder, l.Reason = d.Origin, d.Factor, d.Full, d.Remainder, d.Reason
}

// otherFile is the file of a position that is not in the source itself.
func otherFile(s *generate.Source, p diag.Pos) string {
	if p.File == s.File {
		return ""
	}
	return p.File
}

// withProperties adds to each argument what --arg can say about it besides: of a struct its
// members, of an image "img.width" and whatever else the kernel asks for.
func withProperties(arguments []argumentInfo, fn *ast.Function, k *lower.Kernel, o *options) []argumentInfo {
	var list []argumentInfo
	for i, p := range fn.Params {
		list = append(list, arguments[i])
		for _, q := range k.Params {
			// what stands for an empty struct
			if strings.HasPrefix(q.Name, p.Name+".") && !strings.Contains(q.Name, ".__kl_") {
				a := argumentInfo{Name: q.Name, Type: q.CType}
				if q.CType == p.Type.String() { // the whole struct's
					a.Type = q.Type.String()
				}
				list = append(list, a.valued(fn, o))
			}
		}
	}
	return list
}

// valued fills in an argument's value: that of the kernel's directive, or that
// of --arg.
func (a argumentInfo) valued(fn *ast.Function, o *options) argumentInfo {
	if fn.Launch != nil {
		for _, d := range fn.Launch.Args {
			if d.Name == a.Name {
				a.Value, a.Origin = generate.ValueText(d.Value), "directive"
			}
		}
	}
	for _, given := range o.Args {
		if given.Name == a.Name {
			a.Value, a.Origin = given.Text, "--arg"
		}
	}
	return a
}

// launched fills in the value that an argument has in the launch of the source.
func (a *argumentInfo) launched(l *generate.Launch) {
	for _, d := range l.Args {
		if a.Value == "" && d.Name == a.Name {
			a.Value, a.Origin = generate.ValueText(d.Value), l.ArgsFrom
		}
	}
}
