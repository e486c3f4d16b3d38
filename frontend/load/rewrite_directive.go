package load

import (
	"fmt"
	"strconv"
	"strings"

	"gpupipe/frontend/source"
	"gpupipe/frontend/tokens"
	"gpupipe/internal/diag"
)

// directives rewrites the preprocessor's directives: #include asks the loader,
// #line is kept for positions, #error and #warning become diagnostics of ours,
// and what cc would stumble over is reported.
func (r *rewriter) directives() {
	for i, t := range r.Tokens {
		if !t.InDirective || r.At(i) != "#" || i > 0 && r.Tokens[i-1].InDirective {
			continue
		}
		v := r.SameLine(i)
		if v == len(r.Tokens) {
			continue // a lone #
		}
		end := r.LineEnd(i)
		switch verb := r.At(v); verb {
		case "include", "include_next":
			r.include(i, v, end)
		case "define":
			r.define(i, v, end)
		case "line":
			r.lineDirective(i, v+1, end)
		case "error":
			r.complainLine(i, diag.Errorf(r.tokPos(v), tokens.CodeSyntax, "#error %s", r.Rest(v, end)))
		case "warning":
			r.complainLine(i, diag.Warningf(r.tokPos(v), CodePragma, "#warning %s", r.Rest(v, end)))
		case "if", "elif":
			r.hasInclude(v, end)
		case "undef":
			if r.KindOf(v+1) == tokens.Ident {
				r.follow(i, pragmaUndef, r.At(v+1))
			}
		case "pragma":
			if m := strings.Trim(r.At(v+3), `"`); r.Is(v+1, "pop_macro") && tokens.IsIdentifier(m) {
				r.follow(i, pragmaRestore, m)
			}
		case "ifdef", "ifndef", "else", "endif", "ident":
		default:
			if r.KindOf(v) == tokens.Number {
				r.lineDirective(i, v, end)
				continue
			}
			r.complainLine(i, diag.Errorf(r.tokPos(i), tokens.CodeSyntax, "unknown directive #%s", verb))
		}
	}
}

func (r *rewriter) include(i, v, end int) {
	off := int(r.Tokens[i].Start)
	if v+1 < end {
		first := r.Tokens[v+1]
		rest := r.Text[first.Start:r.Tokens[end-1].End]
		name, system, literal := "", false, false
		switch {
		case first.Kind == tokens.String && rest[0] == '"':
			name, literal = strings.Trim(r.At(v+1), `"`), r.ClosedLiteral(v+1)
		case rest[0] == '<':
			name, _, literal = strings.Cut(rest[1:], ">")
			system = true
		case rest == "__FILE__": // cc would give it a name of the loader's
			name, literal = r.Name, true
		case first.Kind == tokens.Ident:
			id := r.l.request(r.File, off, rest, false)
			r.blankLine(i, fmt.Sprintf("#include %s(%d, %s)", macroInclude, id, rest))
			return
		}
		if literal && name != "" {
			id := r.l.request(r.File, off, name, system)
			r.blankLine(i, fmt.Sprintf("#include \"%s%d\"", namePrefixRequest, id))
			// What the header defines decides how this file is read. An error is
			// kept for the moment when the #include is executed.
			_, _ = r.l.find(r.l.requests[id])
			return
		}
	}
	r.complainLine(i, diag.Errorf(r.tokPos(v), tokens.CodeSyntax, `malformed #include: it takes "FILE" or <FILE>`))
}

func (r *rewriter) define(i, v, end int) {
	if v+1 >= end || r.KindOf(v+1) != tokens.Ident {
		r.complainLine(i, diag.Errorf(r.tokPos(v), tokens.CodeSyntax, "#define needs a name"))
		return
	}
	m := readMacro(r.List, v+1, end)
	r.l.macros.set(m.name, append(r.l.macros.defs[m.name], m)...)
	r.follow(i, pragmaDefine, strconv.Itoa(len(r.l.defines)))
	r.l.defines = append(r.l.defines, m)
	for k := v + 2; k < end; k++ {
		if r.Is(k, "_Pragma") {
			k = r.pragmaOperator(k, end)
		} else if r.Is(k, "##") && (r.Is(k-1, ".") || r.Is(k-1, "->")) && k+1 < end && r.KindOf(k+1) == tokens.Ident {
			r.replace(k, " ") // no token begins like that: two tokens, as MSVC has it; cc would panic
		} else {
			r.literalMacro(k)
		}
	}
	if r.l.cfg.Dialect == source.CUDA {
		for k := v + 2; k+1 < end; k++ {
			if r.Is(k, "extern") && r.KindOf(k+1) == tokens.String {
				r.replace(k, "")
				r.replace(k+1, "")
			}
		}
		r.l.Words.Define(r.List, v+1, end)
	}
}

// lineDirective handles #line NUMBER "FILE", the number at token n. Others are
// left to say nothing.
func (r *rewriter) lineDirective(i, n, end int) {
	text := ""
	if n < end {
		if number, err := strconv.ParseInt(r.At(n), 10, 31); err == nil {
			m := source.LineMark{After: r.physicalLine(end - 1), Line: int(number)}
			if n+1 < end && r.KindOf(n+1) == tokens.String {
				m.File = strings.Trim(r.At(n+1), `"`)
			}
			text = fmt.Sprintf("#pragma %s %d %d", pragmaLine, r.ID, len(r.Marks))
			r.Marks = append(r.Marks, m)
		}
	}
	r.blankLine(i, text)
}

// physicalLine is the line of token i in the text as written.
func (r *rewriter) physicalLine(i int) int {
	marks := r.Marks
	r.Marks = nil
	line := r.tokPos(i).Line
	r.Marks = marks
	return line
}

// hasInclude answers __has_include in an #if; cc would ask the operating system.
func (r *rewriter) hasInclude(v, end int) {
	for k := v + 1; k < end; k++ {
		if !r.Is(k, "__has_include") || !r.Is(k+1, "(") {
			continue
		}
		c := k + 2
		for c < end && r.At(c) != ")" {
			c++
		}
		if c >= end || c == k+2 {
			continue
		}
		operand := r.Text[r.Tokens[k+2].Start:r.Tokens[c-1].End]
		answer := "0"
		if len(operand) > 2 && r.l.exists(r.File, int(r.Tokens[k].Start), operand[1:len(operand)-1], operand[0] == '<') {
			answer = "1"
		}
		r.replace(k, answer)
		for k++; k <= c; k++ {
			r.replace(k, "")
		}
	}
}
