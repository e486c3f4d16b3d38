package load

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"gpupipe/frontend/cxx"
	"gpupipe/frontend/host"
	"gpupipe/frontend/source"
	"gpupipe/frontend/tokens"
	"gpupipe/internal/diag"
)

// The launches of a kernel stand in host code, which is C++ that the parser never sees
// (rewrite_cuda.go blanks it out). It is read a second time for them, whole: the
// preprocessor expands macros, includes files and decides every #if as it does for device
// code, and what it gives is interpreted as far as constants go (package host).

// markLine is the first part of the name that stands before each line of the text, with the
// number of its source and its offset in that.
const markLine = "__kl_at_"

// hostPasses are the rewriting passes of a text that is read for its host code.
func hostPasses() []rewritePass {
	return []rewritePass{
		{"directives", 0, (*rewriter).directives},
		{"literals", 0, (*rewriter).hostLiterals},
		{"macro bombs", 0, (*rewriter).macroBombs},
		{"lines", 0, (*rewriter).markLines}, // positions survive preprocessing
	}
}

// hostLiterals replaces literals that would stop the preprocessor.
func (r *rewriter) hostLiterals() {
	for i, t := range r.Tokens {
		switch s := r.At(i); {
		case t.Kind == tokens.String && !r.ClosedLiteral(i):
			r.replace(i, "0")
		case t.Kind == tokens.Number && strings.Contains(s, "'"):
			r.replace(i, strings.ReplaceAll(s, "'", ""))
		}
	}
}

// markLines puts a mark before every line that starts a statement or goes on with one, outside
// of parentheses: what stands in these may be the argument of a macro.
func (r *rewriter) markLines() {
	for i, t := range r.Tokens {
		if t.InDirective || t.Kind == tokens.Newline || i > 0 && r.KindOf(i-1) != tokens.Newline {
			continue
		}
		if p := r.Shape.Parent[i]; p >= 0 && r.Shape.Kinds[p] != tokens.Block && r.Shape.Kinds[p] != tokens.Flat {
			continue
		}
		r.before(i, fmt.Sprintf(" %s%d_%d ", markLine, r.ID, t.Start))
	}
}

// ReadHost preprocesses a file with its host code; nil where that is not possible.
func ReadHost(cfg *Config) *host.Text { return readHost(cfg, false) }

func readHost(cfg *Config, follow bool) *host.Text {
	l := newLoader(cfg)
	l.host, l.follow = true, follow
	commands, err := l.commandLine()
	if err != nil {
		return nil
	}
	if l.main, err = l.add(cfg.File, cfg.File, cfg.Text); err != nil {
		return nil
	}
	if l.needsFollowing() {
		return readHost(cfg, true)
	}
	var text strings.Builder
	if l.preprocess(time.Now().Add(maxParseTime), commands, &text) != nil {
		return nil
	}
	return l.hostText(text.String())
}

// hostText takes the marks out of a preprocessed text.
func (l *loader) hostText(text string) *host.Text {
	x, _, err := tokens.Lex(text, true)
	if err != nil {
		return nil
	}
	h := &host.Text{File: l.cfg.File}
	plain := &tokens.List{Text: x.Text}
	pos := diag.Pos{File: l.cfg.File}
	for i, t := range x.Tokens {
		switch {
		case t.Kind == tokens.Newline || t.InDirective:
			continue
		case t.Kind == tokens.Ident && strings.HasPrefix(x.At(i), markLine):
			pos = l.markedPos(x.At(i), pos)
			continue
		}
		plain.Tokens = append(plain.Tokens, t)
		h.Tokens = append(h.Tokens, host.Token{Kind: hostKinds[t.Kind], Text: x.At(i), Pos: pos})
	}
	plain.Link()
	shape, _, err := tokens.ShapeOf(plain)
	if err != nil {
		return nil
	}
	r := &rewriter{Reader: l.Reader(&source.File{List: plain, Written: plain, Shape: shape}), l: l}
	for i := range h.Tokens {
		r.hostToken(i, &h.Tokens[i])
	}
	r.EachItem(func(i, end int, _ string) {
		head := r.Head(i, end)
		h.Items = append(h.Items, host.Item{Start: i, End: end, Function: head.IsFunction && head.Body < end})
	})
	return h
}

var (
	hostKinds  = [...]host.TokenKind{tokens.Ident: host.Word, tokens.Number: host.Number, tokens.String: host.Literal, tokens.Punct: host.Mark}
	hostScopes = [...]host.Scope{tokens.Block: host.Block, tokens.Struct: host.Members, tokens.Flat: 0}
)

// hostToken says how token i stands to the others.
func (r *rewriter) hostToken(i int, t *host.Token) {
	t.Match, t.Outer, t.Angle = r.Shape.Match[i], r.Shape.Parent[i], -1
	t.Scope, t.Within = hostScopes[r.Shape.Kinds[i]], hostScopes[r.Shape.KindAt(i)]
	t.InBody = r.Shape.InBody(i)
	t.Attribute = t.Kind == host.Word && cxx.AttributeWord(t.Text)
	if r.Is(i, "<") {
		if _, end, rest, ok := r.AnglesWith(i, r.Is(r.Prev(i), "template")); ok && rest == 0 {
			t.Angle = int32(end)
		}
	}
}

// markedPos is the position that a mark of markLines says, or old.
func (l *loader) markedPos(mark string, old diag.Pos) diag.Pos {
	id, off, _ := strings.Cut(strings.TrimPrefix(mark, markLine), "_")
	s, err := strconv.Atoi(id)
	o, err2 := strconv.Atoi(off)
	if err != nil || err2 != nil || s >= len(l.Files) || o > len(l.Files[s].Text) {
		return old // text that a macro pasted
	}
	return l.Files[s].LogicalPos(o)
}

// launchesSomething reports whether a file that has been read launches kernels.
func (l *loader) launchesSomething() bool {
	for _, s := range l.Files {
		if strings.Contains(s.Written.Text, "<<<") || strings.Contains(s.Written.Text, "LaunchKernel") || strings.Contains(s.Written.Text, "LaunchCooperativeKernel") {
			return true
		}
	}
	return false
}
