package cxx

import (
	"slices"
	"strconv"
	"strings"

	"gpupipe/frontend/constexpr"
	"gpupipe/frontend/source"
	"gpupipe/frontend/tokens"
	"gpupipe/internal/diag"
)

// CodeTemplate marks what is said about template arguments.
const CodeTemplate = "TEMPLATE"

// maxLaunches bounds the copies of one kernel that are made for the launches
// found in host code.
const maxLaunches = 64

// IntegerText spells an argument that is an integer.
func IntegerText(v int64) string { return strconv.FormatInt(v, 10) }

// ChooseKernels decides which copies of the kernel templates are made: those
// that Program.Bindings names, else those that the host code launches or
// instantiates, else one with assumed arguments. It does so once.
func (all *Program) ChooseKernels() {
	if all.Templates.chosen {
		return
	}
	all.Templates.chosen = true
	bindings := all.bindings()
	seen := map[string]bool{}
	for _, s := range all.Files {
		for _, t := range all.Templates.inOrder(s) {
			if t.Kind == templateKernel && t.Problem == "" && !seen[t.Name] {
				seen[t.Name] = true
				all.chooseKernel(t, bindings)
			}
		}
	}
}

// inOrder lists the templates of a source by position.
func (s *Set) inOrder(src *source.File) (list []*Template) {
	for _, of := range []map[string][]*Template{s.ByName, s.partials} {
		for _, ts := range of {
			for _, t := range ts {
				if t.src == src {
					list = append(list, t)
				}
			}
		}
	}
	slices.SortFunc(list, func(a, b *Template) int { return a.start - b.start })
	return list
}

func (all *Program) chooseKernel(t *Template, bindings []binding) {
	before := len(all.Templates.Requests[t.Name])
	var general map[string]string
	for _, b := range bindings {
		if b.kernel == "" {
			if general == nil {
				general = map[string]string{}
			}
			for name, v := range b.values {
				general[name] = v
			}
		}
	}
	for _, b := range bindings {
		if b.kernel == t.Name {
			all.requestKernel(t, b.values, general)
		}
	}
	if len(all.Templates.Requests[t.Name]) == before && all.binds(t, general) {
		all.requestKernel(t, general, nil)
	}
	if len(all.Templates.Requests[t.Name]) > before {
		return
	}
	for _, u := range all.Templates.launches {
		if u.name == t.Name && len(all.Templates.Requests[t.Name]) < maxLaunches {
			all.requestLaunch(t, u)
		}
	}
	if len(all.Templates.Requests[t.Name]) == before {
		all.requestKernel(t, nil, nil)
	}
}

func (all *Program) binds(t *Template, values map[string]string) bool {
	return slices.ContainsFunc(t.Params, func(p Param) bool { _, ok := values[p.Name]; return ok })
}

// requestKernel asks for a kernel with the given arguments; a parameter that
// none is given for takes its default, or a value that is assumed and noted.
func (all *Program) requestKernel(t *Template, values, general map[string]string) {
	var parts [][]string
	var assumed []string
	for i, p := range t.Params {
		v, ok := values[p.Name]
		if !ok {
			v, ok = general[p.Name]
		}
		switch {
		case ok:
			parts = append(parts, tokens.WordsOf(v))
		case p.Preset != nil:
			own := Substitution{}
			for i, part := range parts {
				own[t.Params[i].Name] = part
			}
			parts = append(parts, all.Substitute(p.Preset, own))
		default:
			words := all.assumedArgument(t, i)
			parts = append(parts, words)
			assumed = append(assumed, p.Name+"="+tokens.JoinWords(words))
		}
	}
	args, full := all.completeArguments(t, parts)
	if !full {
		return
	}
	all.Templates.Assumed.copies[all.Templates.Display(all.Templates.Request(t.Name, args).Name)] = t.Name
	if len(assumed) > 0 {
		all.Templates.note(diag.Notef(t.pos(), CodeTemplate, "template arguments of kernel %s are assumed: %s", t.Name, strings.Join(assumed, ", ")).
			WithNote("give them with --template '%s'", strings.Join(assumed, ",")))
	}
}

// assumed is the argument of a parameter about which nothing is known.
func (p Param) assumed() []string {
	switch {
	case p.isFunction:
		return []string{p.Name} // which is no function: its error says so
	case p.IsType:
		return []string{"float"}
	case p.isBool:
		return []string{"true"}
	}
	return []string{"16"}
}

// requestLaunch asks for a kernel as host code launches it. In a template
// function of the host, the arguments are those that this is called with.
func (all *Program) requestLaunch(t *Template, u launch) {
	subs := []Substitution{nil}
	if u.host != nil {
		subs = all.hostArguments(u.host)
	}
	for _, sub := range subs {
		parts := tokens.SplitWords(all.Substitute(u.words, sub))
		if len(parts) > len(t.Params) {
			continue
		}
		var assumed []string
		for i, p := range t.Params[:len(parts)] {
			if p.IsType || p.isFunction {
				continue
			}
			if v, ok := constexpr.Eval(parts[i], constexpr.Names{Words: func(name string) ([]string, bool) { return all.hostConstant(u, name, sub) }}); ok {
				parts[i] = []string{IntegerText(v)}
			} else if !all.spelledConstant(parts[i]) {
				parts[i] = p.assumed()
				assumed = append(assumed, p.Name+"="+tokens.JoinWords(parts[i]))
			}
		}
		bound := all.deduceLaunch(t, u, sub)
		if len(u.words) == 0 && len(bound) == 0 {
			continue
		}
		own := Substitution{}
		for i, p := range t.Params {
			if i >= len(parts) {
				words, isAssumed := all.deducedArgument(t, i, bound, own)
				parts = append(parts, words)
				if isAssumed {
					assumed = append(assumed, p.Name+"="+tokens.JoinWords(words))
				}
			}
			own[p.Name] = parts[i]
		}
		args, full := all.completeArguments(t, parts)
		if !full {
			continue
		}
		all.Templates.Assumed.copies[all.Templates.Display(all.Templates.Request(t.Name, args).Name)] = t.Name
		if len(assumed) > 0 {
			all.Templates.note(diag.Notef(t.pos(), CodeTemplate, "template arguments of kernel %s are assumed: %s", t.Name, strings.Join(assumed, ", ")).
				WithNote("the launch at %v computes them", u.src.ScannedPos(u.at)))
		}
	}
}

// maxHostCalls bounds the calls of a host template that are looked at, but of those that functions are given to.
const maxHostCalls = 8

// hostArguments are the arguments with which a host template is called, or
// assumed ones.
func (all *Program) hostArguments(host *Template) []Substitution {
	return all.hostArgumentsWithin(host, nil)
}

// hostArgumentsWithin looks for them in host templates that are called themselves as well, where a function is among them, which
// cannot be assumed.
func (all *Program) hostArgumentsWithin(host *Template, calls []*Template) (subs []Substitution) {
	const most = 32
	isFunction := slices.ContainsFunc(host.Params, func(p Param) bool { return p.isFunction })
	for _, u := range all.Templates.hostCalls {
		if u.name != host.Name || u.host != nil && (!isFunction || slices.Contains(calls, u.host)) || len(subs) >= most || !isFunction && len(subs) >= maxHostCalls {
			continue
		}
		outers := []Substitution{nil}
		if u.host != nil {
			outers = all.hostArgumentsWithin(u.host, append(calls, host))
		}
		for _, outer := range outers {
			parts := tokens.SplitWords(all.Substitute(u.words, outer))
			bound := all.deduceLaunch(host, u, outer)
			if len(parts) == 0 && len(bound) == 0 {
				continue
			}
			sub := Substitution{}
			for i, p := range host.Params {
				if i < len(parts) {
					sub[p.Name] = parts[i]
				} else {
					sub[p.Name], _ = all.deducedArgument(host, i, bound, sub)
				}
			}
			subs = append(subs, sub)
		}
	}
	if len(subs) == 0 {
		sub := Substitution{}
		for _, p := range host.Params {
			sub[p.Name] = p.assumed()
			if p.Preset != nil {
				sub[p.Name] = p.Preset
			}
		}
		subs = append(subs, sub)
	}
	return subs
}

// hostConstant is what a name means where a kernel is launched: a constant of
// that function, declared above, or one of the file.
func (all *Program) hostConstant(u launch, name string, sub Substitution) (words []string, ok bool) {
	x := u.src.Scanned
	for k := u.at; k > u.from; k-- {
		if x.Is(k, name) && x.Is(x.Next(k), "=") && !x.Tokens[k].InDirective && x.KindOf(x.Prev(k)) == tokens.Ident {
			end := k
			for end < len(x.Tokens) && !x.Is(end, ";") && !x.Is(end, ",") {
				end++
			}
			return all.Substitute(x.Words(x.Next(k)+1, end), sub), true
		}
	}
	return all.ConstantWords(name)
}

// spelledConstant reports whether words are constants of the device code as
// well, of which only the value is not known here.
func (all *Program) spelledConstant(words []string) bool {
	words = all.unqualified(words)
	for i, w := range words {
		_, isType := all.Templates.Types[w]
		of := isType && i+2 < len(words) && words[i+1] == "::" && all.Templates.enumerators[words[i+2]] // Mode::Fast
		if tokens.IsIdentifier(w) && !tokens.IsAllCaps(w) && all.Templates.Consts[w] == nil && !all.Templates.enumerators[w] && !of {
			return false
		}
	}
	return true
}
