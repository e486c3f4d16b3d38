package load

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gpupipe/frontend/prelude"
	"gpupipe/frontend/source"
	"gpupipe/frontend/tokens"
	"gpupipe/internal/diag"
)

// syntaxError translates what cc reports: lines "file:line:col: message", of
// which the first can be trusted. The others are mostly its consequences.
func (l *loader) syntaxError(text string) error {
	first, _, _ := strings.Cut(text, "\n")
	file, line, column, message, ok := splitCCError(first)
	l.errSource, l.unknownType = nil, ""
	if !ok && strings.Contains(first, "EOF") {
		return l.endOfFile()
	}
	if !ok { // cc has lost the position of what an #if ends with
		return diag.Errorf(l.oddCondition(), tokens.CodeSyntax, "malformed expression in #if")
	}
	switch file {
	case nameEnd:
		return l.endOfFile()
	case nameDirectives:
		if p, ok := l.endText.pos(line, column); ok {
			return diag.Errorf(p, codeDirective, "%s", plainMessage(message, "")).
				WithNote("a directive's values are constant expressions of C")
		}
	}
	s := l.sourceOf(file)
	if s == nil && strings.Contains(message, "preprocessing") { // an operand without an operator
		return diag.Errorf(l.oddCondition(), tokens.CodeSyntax, "malformed expression in #if")
	}
	if s == nil {
		return diag.Errorf(diag.Pos{File: l.cfg.File}, tokens.CodeSyntax, "%s", plainMessage(message, ""))
	}
	off := s.LogicalOffset(s.OutOffset(line, column))
	l.errSource, l.errOffset = s, off
	tok := s.TokenAt(off)
	spelled := ""
	if tok < len(s.Tokens) && int(s.Tokens[tok].Start) <= off && s.KindOf(tok) != tokens.Newline {
		spelled = s.At(tok)
	}
	if p := s.Prev(tok); spelled != "" && strings.HasPrefix(message, "unexpected ") && unknownType(s, p, tok) {
		if !typeWord(spelled) { // else p is a macro in front of the type
			l.unknownType = s.At(p)
		}
		return l.unknownTypeError(s, p)
	}
	return diag.Errorf(s.LogicalPos(off), tokens.CodeSyntax, "%s", plainMessage(message, spelled))
}

// unknownTypeError says that the name at token p is no type, or why it has been left out.
func (l *loader) unknownTypeError(s *source.File, p int) *diag.Error {
	name := s.At(p)
	e := diag.Errorf(s.LogicalPos(int(s.Tokens[p].Start)), tokens.CodeSyntax, "unknown type %q", l.Templates.Display(name))
	if l.Templates.Mangled[name] != nil {
		return e.WithNote("this copy of the template is left out, or templates need each other more deeply than is followed")
	}
	if why := l.leftOut(name); why != "" {
		return e.WithNote("%s", why)
	}
	return e.WithNote("declare it, include the header that does, or define it with -D")
}

// leftOut says why the struct of a name has been left out; "" if none has.
func (l *loader) leftOut(name string) string {
	for _, it := range l.items {
		if it.name == name && it.feature != "" {
			return fmt.Sprintf("%s at %s is left out: %s not supported", name, it.src.LogicalPos(int(it.src.Tokens[it.start].Start)), it.feature)
		}
	}
	return ""
}

// LeftOut says why the struct of a name has been left out; "" if none has.
func (p *Parsed) LeftOut(name string) string { return p.l.leftOut(name) }

// splitCCError splits "file:line:col: message".
func splitCCError(s string) (file string, line, column int, message string, ok bool) {
	head, message, ok := strings.Cut(s, ": ")
	if !ok {
		return "", 0, 0, "", false
	}
	parts := strings.Split(head, ":")
	n := len(parts)
	if n < 3 {
		return "", 0, 0, "", false
	}
	line, err1 := strconv.Atoi(parts[n-2])
	column, err2 := strconv.Atoi(parts[n-1])
	return strings.Join(parts[:n-2], ":"), line, column, message, err1 == nil && err2 == nil
}

// plainNames are cc's names of what it expects, in plain words.
var plainNames = map[string]string{
	"block item":                        "a statement or a declaration",
	"statement":                         "a statement",
	"labeled statement":                 "a statement",
	"external declaration":              "a declaration or a function",
	"direct-declarator":                 "a name",
	"direct declarator":                 "a name",
	"declarator or abstract declarator": "a name or ')'",
	"direct abstract declarator":        "')'",
	"abstract declarator":               "')'",
	"identifier":                        "a name",
	"enumerator":                        "a name",
	"parameter declaration":             "a parameter",
	"primary expression":                "an expression",
	"unary expression":                  "an expression",
	"cast expression":                   "an expression",
	"postfix expression":                "an expression",
	"unary expression or (type name)":   "an expression or a type",
	"designation or initializer":        "an initialiser",
	"type specifier":                    "a type",
	"type qualifier":                    "a type qualifier",
	"struct or union specifier":         "a structure's name or members",
	"struct declarator list":            "a member's name",
	"enum specifier":                    "an enumeration's name or members",
	"<EOF>":                             "the end of the file",
	"EOF":                               "the end of the file",
	"type pointer":                      "'*'",
	"designator":                        "a designator",
	"attribute value":                   "an attribute",
	"storage class specifier":           "a declaration",
	"function specifier":                "a declaration",
	"alignment specifier":               "an alignment",
	"'struct' or 'union'":               "struct or union",
	"selection statement":               "a statement",
	"iteration statement":               "a statement",
	"jump statement":                    "a statement",
	"asm qualifier":                     "a string",
	"asm expression":                    "a string",
}

// plainMessage turns a message of cc's into plain words; spelled is the token
// at its position.
func plainMessage(message, spelled string) string {
	if i := strings.LastIndex(message, " ("); i > 0 && strings.HasSuffix(message, ":)") {
		message = message[:i] // cc's own source position
	}
	if label, ok := strings.CutPrefix(message, "label undefined: "); ok {
		return fmt.Sprintf("goto %s: there is no such label in this function", label)
	}
	rest, ok := strings.CutPrefix(message, "unexpected ")
	if !ok {
		switch {
		case strings.HasPrefix(message, "internal error"), strings.HasPrefix(message, "expected expression"):
			return "malformed expression in #if"
		case strings.HasPrefix(message, "strconv."):
			return "malformed number in #if"
		case strings.HasPrefix(message, "LHS must be unary"):
			return "the left side of an assignment cannot be assigned to"
		case strings.Contains(message, "__kl_"), strings.Contains(message, "_Nonnull"):
			return "malformed declaration or statement"
		}
		return message
	}
	got, want, _ := strings.Cut(rest, ", expected ")
	switch {
	case strings.HasPrefix(got, "#"): // #endif, say
	case spelled != "":
		got = strconv.Quote(spelled)
	case strings.Contains(got, "EOF"):
		got = "end of the file"
	case got == "'_Nonnull'":
		got = "an address space"
	}
	if w, ok := plainNames[want]; ok {
		want = w
	}
	if want == "" || strings.Contains(want, "_Nonnull") {
		return "unexpected " + got
	}
	return fmt.Sprintf("unexpected %s, expected %s", got, want)
}

// cKeyword reports whether a word is a keyword that can stand before a name.
func cKeyword(s string) bool {
	return slices.Contains([]string{"auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern",
		"float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof", "static",
		"struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while", "__kernel", "kernel", "__global__"}, s)
}

// typeWord reports whether a word can begin a type.
func typeWord(s string) bool {
	switch s {
	case "void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "bool", "half", "struct", "union", "enum", "const",
		"volatile", "static", "inline", "extern", "uchar", "ushort", "uint", "ulong", "size_t", "__kernel", "kernel", "__global", "__local", "__constant":
		return true
	}
	return false
}

// endOfFile is the error of a text that ends too early.
func (l *loader) endOfFile() *diag.Error {
	pos := l.main.LogicalPos(len(strings.TrimRight(l.main.Text, " \t\r\n")))
	e := diag.Errorf(pos, tokens.CodeSyntax, "the file ends too early")
	s := l.main
	unclosed := s.Shape.Open
	if len(unclosed) == 0 {
		unclosed = s.Shape.Ended
	}
	if n := len(unclosed); n > 0 {
		o := int(unclosed[n-1])
		_ = e.WithNote("%q at %v is not closed", s.At(o), s.LogicalPos(int(s.Tokens[o].Start)))
		l.errSource, l.errOffset = s, int(s.Tokens[o].Start)
	}
	return e
}

// crashed is the error of a panic in cc. One of them has a known cause.
func (l *loader) crashed(p panicked) *diag.Error {
	if strings.Contains(p.Error(), "parseMacroArgs") {
		pos := diag.Pos{File: l.cfg.File}
		for _, s := range l.Files {
			if s.Shape == nil {
				continue
			}
			for _, o := range slices.Concat(s.Shape.Ended, s.Shape.Open) {
				if s.At(int(o)) == "(" {
					pos = s.LogicalPos(int(s.Tokens[o].Start))
				}
			}
		}
		return diag.Errorf(pos, tokens.CodeSyntax, "the call of a macro is not closed with )")
	}
	if strings.Contains(p.Error(), "intConst") {
		return diag.Errorf(l.oddCondition(), tokens.CodeSyntax, "malformed number in #if")
	}
	if strings.Contains(p.Error(), "nil pointer") { // in its checkTypeName
		if e := l.undeclaredShared(); e != nil {
			return e
		}
	}
	text, _, _ := strings.Cut(p.Error(), "\n")
	return diag.Errorf(diag.Pos{File: l.cfg.File}, CodeInternal, "the parser failed: %s", text).
		WithNote("this is a bug of the parser; please report it with the file")
}

// undeclaredShared is the error of the first variable of local memory in a block whose type
// nothing declares: cc takes the type for the variable and falls over the names behind it.
func (l *loader) undeclaredShared() *diag.Error {
	prelude := prelude.Text(l.cfg.Dialect, l.cfg.Architecture)
	for _, s := range l.Files {
		for i := range s.Tokens {
			p := s.Next(i)
			switch s.At(i) {
			case "__shared__", "__local", "local":
			default:
				continue
			}
			if s.Tokens[i].InDirective || p >= len(s.Tokens) || typeWord(s.At(p)) || !unknownType(s, p, s.Next(p)) || s.KindOf(s.Next(p)) != tokens.Ident {
				continue
			}
			if it := l.itemAt(s, i); it != nil && it.err != nil || l.declaresType(s.At(p)) || strings.Contains(prelude, " "+s.At(p)+";\n") {
				continue
			}
			l.errSource, l.errOffset = s, int(s.Tokens[p].Start)
			l.unknownType = s.At(p)
			return l.unknownTypeError(s, p)
		}
	}
	return nil
}

// declaresType reports whether a source seems to declare a name as a type or a macro.
func (l *loader) declaresType(name string) bool {
	for _, s := range l.Files {
		for i := range s.Tokens {
			if s.At(i) != name || s.KindOf(i) != tokens.Ident {
				continue
			}
			switch s.At(s.Prev(i)) {
			case "struct", "union", "enum", "class", "using", "define":
				return true
			}
			if s.Is(s.Next(i), ";") { // typedef ... name;
				if s.Is(s.Prev(i), "}") {
					return true
				}
				for k := s.Prev(i); k >= 0 && !s.Is(k, ";") && !s.Is(k, "{") && !s.Is(k, "}"); k = s.Prev(k) {
					if s.Is(k, "typedef") {
						return true
					}
				}
			}
		}
	}
	return false
}

// oddCondition is the position of the first #if or #elif that cannot be
// evaluated, for errors that come without one: it ends in an operator or holds
// something like a number. Without one it is the file's.
func (l *loader) oddCondition() diag.Pos {
	for _, s := range l.Files {
		if s.Shape == nil {
			continue
		}
		for i, t := range s.Tokens {
			if !t.InDirective || s.At(i) != "#" || i > 0 && s.Tokens[i-1].InDirective || !s.Is(i+1, "if") && !s.Is(i+1, "elif") {
				continue
			}
			end := i + 2
			for end < len(s.Tokens) && s.Tokens[end].InDirective {
				if s.KindOf(end) == tokens.Number && !plainInteger(s.At(end)) {
					return s.LogicalPos(int(s.Tokens[end].Start))
				}
				if s.KindOf(end) == tokens.Ident && s.KindOf(end-1) == tokens.Ident && end > i+2 && !s.Is(end-1, "defined") {
					return s.LogicalPos(int(s.Tokens[end-1].Start))
				}
				end++
			}
			if last := s.Tokens[end-1]; end == i+2 || last.Kind == tokens.Punct && s.At(end-1) != ")" {
				return s.LogicalPos(int(last.Start))
			}
		}
	}
	return diag.Pos{File: l.cfg.File}
}

// plainInteger reports whether s is an integer constant of C.
func plainInteger(s string) bool {
	digits := strings.TrimRight(s, "uUlL")
	if _, err := strconv.ParseUint(digits, 0, 64); err != nil {
		return false
	}
	switch strings.ToLower(s[len(digits):]) {
	case "", "u", "l", "ul", "lu", "ll", "ull", "llu":
		return true
	}
	return false
}

// unknownType reports whether token p of a source looks like a type that nothing declares:
// a name at the start of a declaration, with the declared name or * at token i.
func unknownType(s *source.File, p, i int) bool {
	if p < 0 || s.KindOf(p) != tokens.Ident || cKeyword(s.At(p)) || i >= len(s.Tokens) || s.KindOf(i) != tokens.Ident && s.At(i) != "*" {
		return false
	}
	switch before := s.At(s.Prev(p)); before {
	case ";", "{", "}", "(", ",", "", "const", "static", "inline", "volatile", "__global", "global", "__local", "local",
		"__constant", "constant", "__private", "private", "__shared__", "__device__", "__constant__", "extern":
		return true
	}
	return false
}
