package frontend

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gpupipe/frontend/constexpr"
	"gpupipe/frontend/source"
	"gpupipe/frontend/tokens"
	"gpupipe/internal/diag"
)

// codeTemplate marks what is said about template arguments.
const codeTemplate = "TEMPLATE"

// maxLaunches bounds the copies of one kernel that are made for the launches
// found in host code.
const maxLaunches = 64

func integerText(v int64) string { return strconv.FormatInt(v, 10) }

// binding is Config.Templates taken apart: NAME=VALUE of the parameters of
// one kernel, or of all where kernel is empty.
type binding struct {
	kernel string
	values map[string]string
}

// parseBinding reads "T=float,N=16" or "kernel:T=float,N=16".
func parseBinding(text string) (binding, error) {
	b := binding{values: map[string]string{}}
	if name, rest, ok := strings.Cut(text, ":"); ok && tokens.IsIdentifier(name) && !strings.HasPrefix(rest, ":") {
		b.kernel, text = name, rest
	}
	for _, part := range tokens.SplitWords(splitText(text)) {
		if len(part) < 3 || part[1] != "=" || !tokens.IsIdentifier(part[0]) {
			return b, fmt.Errorf("template arguments %q: NAME=VALUE expected, as in T=float,N=16", text)
		}
		b.values[part[0]] = tokens.JoinWords(part[2:])
	}
	if len(b.values) == 0 {
		return b, fmt.Errorf("template arguments %q: NAME=VALUE expected, as in T=float,N=16", text)
	}
	return b, nil
}

// chooseKernels decides which copies of the kernel templates are made: those
// that Config.Templates names, else those that the host code launches or
// instantiates, else one with assumed arguments.
func (l *loader) chooseKernels() {
	var bindings []binding
	for _, text := range l.cfg.Templates {
		if b, err := parseBinding(text); err == nil { // Validate has reported others
			bindings = append(bindings, b)
		}
	}
	seen := map[string]bool{}
	for _, s := range l.sources {
		for _, t := range l.templates.inOrder(s) {
			if t.kind == templateKernel && t.problem == "" && !seen[t.name] {
				seen[t.name] = true
				l.chooseKernel(t, bindings)
			}
		}
	}
}

// inOrder lists the templates of a source by position.
func (s *templateSet) inOrder(src *source.File) (list []*template) {
	for _, of := range []map[string][]*template{s.byName, s.partials} {
		for _, ts := range of {
			for _, t := range ts {
				if t.src == src {
					list = append(list, t)
				}
			}
		}
	}
	slices.SortFunc(list, func(a, b *template) int { return a.start - b.start })
	return list
}

func (l *loader) chooseKernel(t *template, bindings []binding) {
	before := len(l.templates.requests[t.name])
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
		if b.kernel == t.name {
			l.requestKernel(t, b.values, general)
		}
	}
	if len(l.templates.requests[t.name]) == before && l.binds(t, general) {
		l.requestKernel(t, general, nil)
	}
	if len(l.templates.requests[t.name]) > before {
		return
	}
	for _, u := range l.templates.launches {
		if u.name == t.name && len(l.templates.requests[t.name]) < maxLaunches {
			l.requestLaunch(t, u)
		}
	}
	if len(l.templates.requests[t.name]) == before {
		l.requestKernel(t, nil, nil)
	}
}

func (l *loader) binds(t *template, values map[string]string) bool {
	return slices.ContainsFunc(t.params, func(p templateParam) bool { _, ok := values[p.name]; return ok })
}

// requestKernel asks for a kernel with the given arguments; a parameter that
// none is given for takes its default, or a value that is assumed and noted.
func (l *loader) requestKernel(t *template, values, general map[string]string) {
	var parts [][]string
	var assumed []string
	for i, p := range t.params {
		v, ok := values[p.name]
		if !ok {
			v, ok = general[p.name]
		}
		switch {
		case ok:
			parts = append(parts, splitText(v))
		case p.preset != nil:
			own := substitution{}
			for i, part := range parts {
				own[t.params[i].name] = part
			}
			parts = append(parts, l.substitute(p.preset, own))
		default:
			words := l.assumedArgument(t, i)
			parts = append(parts, words)
			assumed = append(assumed, p.name+"="+tokens.JoinWords(words))
		}
	}
	args, full := l.completeArguments(t, parts)
	if !full {
		return
	}
	l.templates.assumed.copies[l.templates.request(t.name, args).String()] = t.name
	if len(assumed) > 0 {
		l.templates.notes.Add(diag.Notef(t.pos(), codeTemplate, "template arguments of kernel %s are assumed: %s", t.name, strings.Join(assumed, ", ")).
			WithNote("give them with --template '%s'", strings.Join(assumed, ",")))
	}
}

// assumed is the argument of a parameter about which nothing is known.
func (p templateParam) assumed() []string {
	switch {
	case p.isType:
		return []string{"float"}
	case p.isBool:
		return []string{"true"}
	}
	return []string{"16"}
}

// requestLaunch asks for a kernel as host code launches it. In a template
// function of the host, the arguments are those that this is called with.
func (l *loader) requestLaunch(t *template, u launch) {
	subs := []substitution{nil}
	if u.host != nil {
		subs = l.hostArguments(u.host)
	}
	for _, sub := range subs {
		parts := tokens.SplitWords(l.substitute(u.words, sub))
		if len(parts) > len(t.params) {
			continue
		}
		var assumed []string
		for i, p := range t.params[:len(parts)] {
			if p.isType {
				continue
			}
			if v, ok := constexpr.Eval(parts[i], constexpr.Names{Words: func(name string) ([]string, bool) { return l.hostConstant(u, name, sub) }}); ok {
				parts[i] = []string{integerText(v)}
			} else if !l.spelledConstant(parts[i]) {
				parts[i] = p.assumed()
				assumed = append(assumed, p.name+"="+tokens.JoinWords(parts[i]))
			}
		}
		bound := l.deduceLaunch(t, u, sub)
		if len(u.words) == 0 && len(bound) == 0 {
			continue
		}
		own := substitution{}
		for i, p := range t.params {
			if i >= len(parts) {
				words, isAssumed := l.deducedArgument(t, i, bound, own)
				parts = append(parts, words)
				if isAssumed {
					assumed = append(assumed, p.name+"="+tokens.JoinWords(words))
				}
			}
			own[p.name] = parts[i]
		}
		args, full := l.completeArguments(t, parts)
		if !full {
			continue
		}
		l.templates.assumed.copies[l.templates.request(t.name, args).String()] = t.name
		if len(assumed) > 0 {
			l.templates.notes.Add(diag.Notef(t.pos(), codeTemplate, "template arguments of kernel %s are assumed: %s", t.name, strings.Join(assumed, ", ")).
				WithNote("the launch at %v computes them", u.src.ScannedPos(u.at)))
		}
	}
}

// hostArguments are the arguments with which a host template is called, or
// assumed ones.
func (l *loader) hostArguments(host *template) (subs []substitution) {
	const most = 8
	for _, u := range l.templates.hostCalls {
		if u.name != host.name || u.host != nil || len(subs) == most {
			continue
		}
		parts := tokens.SplitWords(u.words)
		bound := l.deduceLaunch(host, u, nil)
		if len(parts) == 0 && len(bound) == 0 {
			continue
		}
		sub := substitution{}
		for i, p := range host.params {
			if i < len(parts) {
				sub[p.name] = parts[i]
			} else {
				sub[p.name], _ = l.deducedArgument(host, i, bound, sub)
			}
		}
		subs = append(subs, sub)
	}
	if len(subs) == 0 {
		sub := substitution{}
		for _, p := range host.params {
			sub[p.name] = p.assumed()
			if p.preset != nil {
				sub[p.name] = p.preset
			}
		}
		subs = append(subs, sub)
	}
	return subs
}

// hostConstant is what a name means where a kernel is launched: a constant of
// that function, declared above, or one of the file.
func (l *loader) hostConstant(u launch, name string, sub substitution) (words []string, ok bool) {
	x := u.src.Scanned
	for k := u.at; k > u.from; k-- {
		if x.Is(k, name) && x.Is(x.Next(k), "=") && !x.Tokens[k].InDirective && x.KindOf(x.Prev(k)) == tokens.Ident {
			end := k
			for end < len(x.Tokens) && !x.Is(end, ";") && !x.Is(end, ",") {
				end++
			}
			return l.substitute(x.Words(x.Next(k)+1, end), sub), true
		}
	}
	return l.constantWords(name)
}

// spelledConstant reports whether words are constants of the device code as
// well, of which only the value is not known here.
func (l *loader) spelledConstant(words []string) bool {
	for _, w := range words {
		if tokens.IsIdentifier(w) && !isAllCaps(w) && l.templates.consts[w] == nil {
			return false
		}
	}
	return true
}
