package frontend

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gpupipe/frontend/host"

	"modernc.org/cc/v4"
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
	for i, t := range r.toks {
		switch s := r.at(i); {
		case t.kind == tokString && !r.closedLiteral(i):
			r.replace(i, "0")
		case t.kind == tokNumber && strings.Contains(s, "'"):
			r.replace(i, strings.ReplaceAll(s, "'", ""))
		}
	}
}

// markLines puts a mark before every line that starts a statement or goes on with one, outside
// of parentheses: what stands in these may be the argument of a macro.
func (r *rewriter) markLines() {
	for i, t := range r.toks {
		if t.inDir || t.kind == tokNewline || i > 0 && r.kindOf(i-1) != tokNewline {
			continue
		}
		if p := r.shape.parent[i]; p >= 0 && r.shape.kinds[p] != scopeBlock && r.shape.kinds[p] != scopeFlat {
			continue
		}
		r.before(i, fmt.Sprintf(" %s%d_%d ", markLine, r.id, t.start))
	}
}

// hostMacros are the macros of numbers that the host's compiler knows, of the language and its
// headers. __CUDA_ARCH__ is not among them.
var hostMacros = func() string {
	var b strings.Builder
	for line := range strings.Lines(preludeCommon + cudaConstants) {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] != "#define" || words[1] == "true" || words[1] == "false" || strings.Contains(words[1], "(") {
			continue
		}
		if c := words[2][0]; c == '(' || c == '-' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' {
			b.WriteString(line)
		}
	}
	return b.String()
}()

// tokenWriter collects the preprocessed text, within the parser's bounds.
type tokenWriter struct {
	gauge
	text bytes.Buffer
}

func (w *tokenWriter) Write(p []byte) (int, error) {
	w.text.Write(p)
	return w.gauge.Write(p)
}

// readHost preprocesses a file with its host code; nil where that is not possible.
func readHost(cfg *Config) *host.Text {
	l := newLoader(cfg)
	l.host = true
	commands, err := l.commandLine()
	if err != nil {
		return nil
	}
	if l.main, err = l.add(cfg.File, cfg.File, cfg.Text); err != nil {
		return nil
	}
	w := &tokenWriter{gauge: gauge{limit: min(maxTokens, freeTokens+4*l.tokens)}}
	if a := l.run(time.Now().Add(maxParseTime), func(c *cc.Config, src []cc.Source) attempt {
		return attempt{err: cc.Preprocess(c, src, w)}
	}, commands); a.err != nil {
		return nil
	}
	return l.hostText(w.text.String())
}

// hostText takes the marks out of a preprocessed text.
func (l *loader) hostText(text string) *host.Text {
	x, _, err := lex(text, CUDA)
	if err != nil {
		return nil
	}
	h := &host.Text{File: l.cfg.File}
	plain := &lexed{text: x.text}
	pos := Pos{File: l.cfg.File}
	for i, t := range x.toks {
		switch {
		case t.kind == tokNewline || t.inDir:
			continue
		case t.kind == tokIdent && strings.HasPrefix(x.at(i), markLine):
			pos = l.markedPos(x.at(i), pos)
			continue
		}
		plain.toks = append(plain.toks, t)
		h.Tokens = append(h.Tokens, host.Token{Kind: hostKinds[t.kind], Text: x.at(i), Pos: pos})
	}
	plain.link()
	shape, _, err := shapeOf(plain)
	if err != nil {
		return nil
	}
	r := &rewriter{source: &source{lexed: plain, written: plain, shape: shape}, l: l}
	for i := range h.Tokens {
		r.hostToken(i, &h.Tokens[i])
	}
	r.eachItem(func(i, end int, _ string) {
		head := r.head(i, end)
		h.Items = append(h.Items, host.Item{Start: i, End: end, Function: head.isFunction && head.body < end})
	})
	return h
}

var (
	hostKinds  = [...]host.TokenKind{tokIdent: host.Word, tokNumber: host.Number, tokString: host.Literal, tokPunct: host.Mark}
	hostScopes = [...]host.Scope{scopeBlock: host.Block, scopeStruct: host.Members, scopeFlat: 0}
)

// hostToken says how token i stands to the others.
func (r *rewriter) hostToken(i int, t *host.Token) {
	t.Match, t.Outer, t.Angle = r.shape.match[i], r.shape.parent[i], -1
	t.Scope, t.Within = hostScopes[r.shape.kinds[i]], hostScopes[r.shape.kindAt(i)]
	t.InBody = r.shape.inBody(i)
	t.Attribute = t.Kind == host.Word && attributeWord(t.Text)
	if r.is(i, "<") {
		if _, end, rest, ok := r.anglesWith(i, r.is(r.prev(i), "template")); ok && rest == 0 {
			t.Angle = int32(end)
		}
	}
}

// markedPos is the position that a mark of markLines says, or old.
func (l *loader) markedPos(mark string, old Pos) Pos {
	id, off, _ := strings.Cut(strings.TrimPrefix(mark, markLine), "_")
	s, err := strconv.Atoi(id)
	o, err2 := strconv.Atoi(off)
	if err != nil || err2 != nil || s >= len(l.sources) || o > len(l.sources[s].text) {
		return old // text that a macro pasted
	}
	return l.sources[s].logicalPos(o)
}

// launchesSomething reports whether a file that has been read launches kernels.
func (l *loader) launchesSomething() bool {
	for _, s := range l.sources {
		if strings.Contains(s.written.text, "<<<") || strings.Contains(s.written.text, "LaunchKernel") || strings.Contains(s.written.text, "LaunchCooperativeKernel") {
			return true
		}
	}
	return false
}
