package load

import (
	"fmt"
	"slices"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/encoding"
	"gpupipe/frontend/source"
	"gpupipe/frontend/tokens"
	"gpupipe/internal/diag"

	"modernc.org/cc/v4"
)

// cc's tree keeps no pragmas. An unroll pragma becomes the label of the
// statement behind it, which parses before any statement and keeps the factor
// as an expression with its macros expanded:
//
//	#pragma unroll           case __kl_unroll(ID):
//	#pragma unroll N         case __kl_unroll(ID,(N)):
//	_Pragma(MACRO)           case __kl_pragma(MACRO):
//
// ID counts loader.hints. The last form stands where the text of the pragma is
// only known after expansion, as in "#define P(x) _Pragma(#x)".

// hintText is what an unroll label's ID stands for.
type hintText struct {
	pos  diag.Pos // of the pragma; of no use inside a macro
	kind ast.PragmaKind
	text string
}

// unrollRequest is the meaning of a pragma's words.
type unrollRequest struct {
	kind     ast.PragmaKind // 0: no unroll pragma at all
	from, to int            // the words of the factor, for UnrollFactor
	bad      string         // what is wrong with it, else ""
}

// readUnroll reads the words after "#pragma":
//
//	unroll | unroll N | nounroll | GCC unroll N
//	clang loop unroll(enable|full|disable) unroll_count(N) ...
//
// N is any constant expression. clang's enable unrolls fully where the trip
// count is known, as "unroll" without a number does.
func readUnroll(words []string) unrollRequest {
	switch {
	case len(words) == 0:
	case words[0] == "unroll":
		if len(words) == 1 {
			return unrollRequest{kind: ast.UnrollFull}
		}
		return factorOf(words, 1, len(words))
	case words[0] == "nounroll":
		u := unrollRequest{kind: ast.NoUnroll}
		if len(words) > 1 {
			u.bad = "nounroll takes nothing after it"
		}
		return u
	case len(words) > 1 && words[0] == "GCC" && words[1] == "unroll":
		return factorOf(words, 2, len(words))
	case len(words) > 1 && words[0] == "clang" && words[1] == "loop":
		return readClangLoop(words)
	}
	return unrollRequest{}
}

func readClangLoop(words []string) (u unrollRequest) {
	for i := 2; i < len(words); {
		end := tokens.ClosingWord(words, i+1)
		if end < 0 {
			return unrollRequest{kind: ast.UnrollFull, bad: fmt.Sprintf("%q takes its value in parentheses", words[i])}
		}
		switch words[i] {
		case "unroll":
			switch strings.Join(words[i+2:end], " ") {
			case "full", "enable":
				if u.kind != ast.UnrollFactor {
					u = unrollRequest{kind: ast.UnrollFull}
				}
			case "disable":
				u = unrollRequest{kind: ast.NoUnroll}
			default:
				return unrollRequest{kind: ast.UnrollFull, bad: "clang loop unroll takes full, enable or disable"}
			}
		case "unroll_count":
			u = factorOf(words, i+2, end)
		}
		i = end + 1
	}
	return u
}

// factorOf checks that the words from..to can only be an expression: what is
// pasted into the program must not end the label that it stands in.
func factorOf(words []string, from, to int) unrollRequest {
	u := unrollRequest{kind: ast.UnrollFactor, from: from, to: to}
	if !isExpression(words[from:to]) {
		u.bad = fmt.Sprintf("%q is no factor", strings.Join(words[from:to], " "))
	}
	return u
}

// castWords end the type in a cast to an integer.
var castWords = []string{"int", "unsigned", "long", "short", "char", "uint", "ulong", "ushort", "uchar", "size_t"}

// isExpression reports whether words could be a C expression: operands and
// operators take turns and brackets pair up. The parser checks the rest.
func isExpression(words []string) bool {
	operand := false // an operand has just ended
	var (
		stack []string
		calls []bool // by open bracket: behind an operand or sizeof
	)
	for i, w := range words {
		switch w {
		case "(":
			stack = append(stack, ")")
			calls = append(calls, operand || i > 0 && words[i-1] == "sizeof")
			operand = false
		case "[":
			if !operand {
				return false
			}
			stack = append(stack, "]")
			calls = append(calls, true)
			operand = false
		case ")", "]":
			n := len(stack)
			if n == 0 || stack[n-1] != w {
				return false
			}
			operand = calls[n-1] || !slices.Contains(castWords, words[i-1])
			stack, calls = stack[:n-1], calls[:n-1]
		case ",":
			if !operand || len(stack) == 0 {
				return false
			}
			operand = false
		case ";", "{", "}", "#", "##", "=", "::", "<<<", ">>>", "\\", "@", "`":
			return false
		case "+", "-", "!", "~", "*", "&", "sizeof":
			operand = false
		default:
			c := w[0]
			if c == '"' {
				return false
			}
			if c == '\'' || tokens.IsIdentByte(c) || c >= 0x80 || c == '.' && len(w) > 1 && w[1] != '.' {
				if operand && len(stack) == 0 {
					return false
				}
				operand = true
				continue
			}
			if !operand {
				return false
			}
			operand = false
		}
	}
	return operand && len(stack) == 0
}

// hintID registers an unroll pragma.
func (r *rewriter) hintID(h hintText) int {
	r.l.hints = append(r.l.hints, h)
	return len(r.l.hints) - 1
}

// pragmas rewrites the unroll pragmas in function bodies, as directives and as
// _Pragma operators. Others are left for the preprocessor to come by, where
// loader.otherPragma judges them.
func (r *rewriter) pragmas() {
	for i := 0; i < len(r.Tokens); i++ {
		switch {
		case r.Tokens[i].InDirective:
			end := r.LineEnd(i)
			if r.At(i) == "#" && r.Is(r.SameLine(i), "pragma") {
				r.pragmaLine(i, i+2, end)
			}
			i = end
		case r.Is(i, "_Pragma") && !r.dead[i]:
			i = r.pragmaOperator(i, len(r.Tokens))
		}
	}
}

// pragmaLine rewrites "#pragma ...": # at token i, its words from v to end.
func (r *rewriter) pragmaLine(i, v, end int) {
	u := readUnroll(r.Words(v, end))
	if u.kind == 0 || u.bad != "" {
		return
	}
	close, ok := r.labelPlace(i, end)
	if !ok {
		return
	}
	id := r.hintID(hintText{r.tokPos(i), u.kind, r.Text[r.Tokens[i].Start:r.Tokens[end-1].End]})
	if u.kind != ast.UnrollFactor {
		r.blankLine(i, fmt.Sprintf("case %s(%d):%s", encoding.LabelUnroll, id, close))
		return
	}
	r.replace(i, fmt.Sprintf("case %s(%d,(", encoding.LabelUnroll, id))
	for k := i + 1; k < end; k++ {
		if k < v+u.from || k >= v+u.to {
			r.replace(k, "")
		}
	}
	r.behind(v+u.to-1, ")):"+close)
}

// labelPlace reports whether a label may stand in place of the tokens i to j
// (exclusive): among statements, at the start of one. A label needs a
// statement behind it, which close provides at the end of a block.
func (r *rewriter) labelPlace(i, j int) (close string, ok bool) {
	if r.Shape.KindAt(i) != tokens.Block || r.dead[i] {
		return "", false
	}
	p := r.Prev(i)
	switch s := r.At(p); s {
	case ";", "{", "}", ")", ":", "else", "do":
	default:
		if p < 0 || r.KindOf(p) != tokens.Ident || s == "return" {
			return "", false
		}
	}
	if p >= 0 && r.dead[p] {
		return "", false
	}
	switch n := r.Next(j - 1); r.At(n) {
	case "}":
		return ";", true
	case "else", "":
		return "", false
	}
	return "", true
}

// pragmaOperator rewrites the _Pragma at token i, in a directive or not, of a
// text that ends at token limit; it returns the last token that it took.
func (r *rewriter) pragmaOperator(i, limit int) int {
	open := r.step(i, limit)
	end := r.closingToken(open, limit)
	if end < 0 {
		r.replace(i, "")
		if !r.Tokens[i].InDirective {
			r.complain(i, diag.Errorf(r.tokPos(i), tokens.CodeSyntax, `_Pragma takes a string in parentheses`))
		}
		return i
	}
	inDir := r.Tokens[i].InDirective
	if inDir || r.Shape.KindAt(i) == tokens.Block || r.macroArgument(i) {
		if s := r.step(open, limit); r.KindOf(s) == tokens.String && r.step(s, limit) == end {
			r.pragmaLiteral(i, s, end)
			return end
		}
		if r.step(open, limit) < end {
			r.replace(i, "case "+encoding.LabelPragma)
			r.behind(end, ":")
			return end
		}
	}
	r.erase(i, end+1)
	return end
}

// macroArgument reports whether token i stands in the parentheses of what must
// be a macro's call, if it is a _Pragma.
func (r *rewriter) macroArgument(i int) bool {
	o := int(r.Shape.Parent[i])
	if !r.Shape.InBody(i) || !r.Is(o, "(") {
		return false
	}
	p := r.Prev(o)
	return p >= 0 && r.KindOf(p) == tokens.Ident && !cKeyword(r.At(p))
}

// closingToken returns the token that closes the ( at token i, in a directive
// or not, before token limit; or -1.
func (r *rewriter) closingToken(i, limit int) int {
	if i >= limit || !r.Is(i, "(") {
		return -1
	}
	if !r.Tokens[i].InDirective {
		return r.Shape.Closing(i)
	}
	for depth, k := 0, i; k < limit; k++ {
		switch r.At(k) {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return k
			}
		}
	}
	return -1
}

// erase takes tokens i to j (exclusive) out, newlines excepted.
func (r *rewriter) erase(i, j int) {
	for ; i < j; i++ {
		if r.KindOf(i) != tokens.Newline {
			r.replace(i, "")
		}
	}
}

// pragmaLiteral rewrites _Pragma("text"), the string at token s, from token i
// to token end.
func (r *rewriter) pragmaLiteral(i, s, end int) {
	text := destringize(r.At(s))
	r.erase(i+1, end+1)
	label := ""
	if l, _, err := tokens.Lex(text, r.l.cfg.Dialect == source.CUDA); err == nil {
		words := l.Words(0, len(l.Tokens))
		switch u := readUnroll(words); {
		case u.kind == 0:
		case u.bad != "":
			r.warnOperator(i, u.bad)
		default:
			close, ok := "", true
			if !r.Tokens[i].InDirective && !r.macroArgument(i) {
				close, ok = r.labelPlace(i, end+1)
			}
			if !ok {
				r.warnOperator(i, "it stands before no statement")
				break
			}
			id := r.hintID(hintText{r.tokPos(i), u.kind, "#pragma " + text})
			label = fmt.Sprintf("case %s(%d):%s", encoding.LabelUnroll, id, close)
			if u.kind == ast.UnrollFactor {
				label = fmt.Sprintf("case %s(%d,(%s)):%s", encoding.LabelUnroll, id, strings.Join(words[u.from:u.to], " "), close)
			}
		}
	}
	r.replace(i, label)
}

func (r *rewriter) warnOperator(i int, why string) {
	if !r.Tokens[i].InDirective {
		r.complain(i, diag.Warningf(r.tokPos(i), CodePragma, "%s is ignored: %s", "_Pragma", why))
	}
}

// destringize undoes the quoting of a _Pragma's string (C99 6.10.9).
func destringize(s string) string {
	s = strings.TrimLeft(s, "Lu8U")
	s = strings.TrimSuffix(strings.TrimPrefix(s, `"`), `"`)
	return strings.ReplaceAll(strings.ReplaceAll(s, `\"`, `"`), `\\`, `\`)
}

// quietPragmas change nothing that a run time depends on.
var quietPragmas = []string{"OPENCL", "STDC", "FP_CONTRACT", "EXTENSION", "GCC", "clang", "message", "warning", "comment", "region", "endregion",
	"push_macro", "pop_macro", "nv_diagnostic", "nv_diag_suppress", "nv_diag_default", "nv_diag_warning", "nv_diag_error", "nv_diag_once", "diag_suppress", "diag_default", "diag_warning", "diag_error",
	"hd_warning_disable", "nv_exec_check_disable", "mark", "error_messages", "system_header"}

// otherPragma judges a #pragma that was not rewritten.
func (l *loader) otherPragma(toks []cc.Token) {
	words := make([]string, len(toks))
	for i := range toks {
		words[i] = toks[i].SrcStr()
	}
	pos := l.position(toks[0].Position())
	text := strings.Join(words, " ")
	switch u := readUnroll(words); {
	case u.bad != "":
		l.note(diag.Warningf(pos, CodePragma, "#pragma %s is ignored: %s", text, u.bad))
	case u.kind != 0:
		l.note(diag.Warningf(pos, CodePragma, "#pragma %s is ignored: it stands before no loop", text))
	case words[0] == "pack":
		l.note(diag.Warningf(pos, CodePragma, "#pragma pack is ignored: members keep their natural alignment"))
	case !slices.Contains(quietPragmas, words[0]):
		l.note(diag.Notef(pos, CodePragma, "unknown #pragma %s is ignored", text))
	}
}
