package preprocess

import (
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"
)

// Config says what to preprocess. File and Text are required.
type Config struct {
	File     string   // name for positions
	Text     string   // the source
	Defines  []string // as after -D: "NAME", "NAME=VALUE" or "NAME(a)=VALUE"
	Undefs   []string // as after -U
	Includes []string // names of files included before the text
	Before   []File   // texts in front of all, such as the language's own macros
	// FS resolves #include; nil = no file can be included. IncludePaths are its directories that are searched after
	// that of the including file.
	FS           fs.FS
	IncludePaths []string
	// Library has headers that stand for those of a library, by the name in <>; "" of one of which nothing is needed.
	Library func(name string) (text string, ok bool)
	// Lenient takes headers in "" that are not found as empty, as those in <> are.
	Lenient bool
	// Inside is what of a file is source, in its place; nil = all.
	Inside func(name, text string) string
	Marks  []string // words in front of functions that Result.Skipped lists
	Limits Limits
}

// File is a text with its name for positions.
type File struct{ Name, Text string }

// Result is a preprocessed program.
type Result struct {
	Tokens   []Token // the last one is EOF
	Before   []Token // those of Config.Before, which Tokens begins with: one list for all programs; nil: there is none
	Warnings diag.List
	Errors   diag.List // of directives and macros; tokens are there all the same
	// Files are the texts read, by their names for positions, for messages that show a line.
	Files   map[string]string
	Skipped []Skipped // functions of the file itself that conditions leave out
	// Conditions are those of #if and #elif that were computed.
	Conditions []Condition
}

// Condition is what an #if asks, expanded, with the answer.
type Condition struct {
	Pos    diag.Pos
	Tokens []Token
	Value  ctypes.Value
}

// Preprocessor is the state of one run.
type Preprocessor struct {
	cfg       Config
	limits    Limits
	out       *Result
	macros    map[string]*macro
	kept      map[string][]*macro // by #pragma push_macro, nil where there was none
	once      map[string]bool     // paths with #pragma once
	missing   map[string]bool     // headers that are taken as empty
	libraries map[string]bool     // folders that headers which have been read are in, as cub of cub/cub.cuh
	// onceFiles are the same by base name and text, by which GCC tells files apart.
	onceFiles map[File]bool
	opened    int
	bytes     int
	spent     int
	nested    int
	brackets  int  // open ones of the program
	stopped   bool // a limit is exceeded
	asked     bool // the condition of an #if is expanded
	counter   int
	stack     []*reader // of files being included
}

// Run preprocesses a program.
func Run(cfg Config) *Result {
	p := &Preprocessor{
		cfg: cfg, limits: cfg.Limits.withDefaults(), macros: map[string]*macro{}, kept: map[string][]*macro{},
		once: map[string]bool{}, missing: map[string]bool{}, libraries: map[string]bool{},
		onceFiles: map[File]bool{},
		out:       &Result{Files: map[string]string{}},
	}
	p.builtins()
	p.before()
	p.options()
	for _, name := range cfg.Includes {
		p.include(name, diag.Pos{File: commandLine}, "", false)
	}
	p.file(cfg.File, cfg.File, p.inside(cfg.File, cfg.Text))
	p.brokenPragmas()
	p.directives()
	p.checkDefines()
	p.packs()
	end := Token{Kind: EOF, First: true, Pos: endOf(cfg.File, cfg.Text)}
	p.out.Tokens = append(p.out.Tokens, end)
	return p.out
}

// inside is what of a file is source.
func (p *Preprocessor) inside(name, text string) string {
	if p.cfg.Inside == nil {
		return text
	}
	return p.cfg.Inside(name, text)
}

func endOf(file, text string) diag.Pos {
	text = strings.TrimRight(text, " \t\r\n")
	return diag.Pos{File: file, Line: 1 + strings.Count(text, "\n"),
		Column: len(text) - strings.LastIndexByte(text, '\n')}
}

// fail adds an error. After a limit was exceeded, nothing more is said.
func (p *Preprocessor) fail(at diag.Pos, code, format string, args ...any) *diag.Error {
	e := diag.Errorf(at, code, format, args...)
	if !p.stopped && len(p.out.Errors) < mostErrors {
		p.out.Errors.Add(e)
	}
	return e
}

// mostErrors are kept of a program; nobody reads more.
const mostErrors = 1000

// spend counts tokens that macros make, and reports whether there may be more.
func (p *Preprocessor) spend(n int, at diag.Pos, macro string) bool {
	p.spent += n
	if p.spent > p.limits.Tokens && !p.stopped {
		p.fail(at, "TOO-LARGE", "macros expand to more than %d tokens, here %s", p.limits.Tokens, macro)
		p.stopped = true
	}
	return !p.stopped
}

// builtins defines the macros that stand for their place.
func (p *Preprocessor) builtins() {
	text := func(t Token, k Kind, text string) Token {
		t.Kind, t.Text, t.painted = k, text, true
		return t
	}
	for name, f := range map[string]func(*Preprocessor, Token) Token{
		"__LINE__": func(_ *Preprocessor, t Token) Token { return text(t, Number, strconv.Itoa(t.Pos.Line)) },
		"__FILE__": func(_ *Preprocessor, t Token) Token { return text(t, String, strconv.Quote(t.Pos.File)) },
		"__DATE__": func(_ *Preprocessor, t Token) Token { return text(t, String, `"Jan  1 1970"`) },
		"__TIME__": func(_ *Preprocessor, t Token) Token { return text(t, String, `"00:00:00"`) },
		"__COUNTER__": func(p *Preprocessor, t Token) Token {
			p.counter++
			return text(t, Number, strconv.Itoa(p.counter-1))
		},
	} {
		p.macros[name] = &macro{name: name, builtin: f}
	}
}

// commandLine is the name of what -D and -U say.
const commandLine = "<command line>"

// macroHead is a macro's name, with its parameters.
var macroHead = regexp.MustCompile(`^[\pL_$][\pL\d_$]*(\([^()\n]*\))?$`)

// options applies -D and -U.
func (p *Preprocessor) options() {
	var b strings.Builder
	at := diag.Pos{File: commandLine}
	for _, d := range p.cfg.Defines {
		name, value, ok := strings.Cut(d, "=")
		if !ok {
			value = "1"
		}
		if !macroHead.MatchString(name) {
			p.fail(at, "SYNTAX", "-D %s defines no macro", d).WithNote("write -D NAME or -D NAME=VALUE")
			continue
		}
		b.WriteString("#define " + name + " " + strings.ReplaceAll(value, "\n", " ") + "\n")
	}
	for _, name := range p.cfg.Undefs {
		if !macroHead.MatchString(name) {
			p.fail(at, "SYNTAX", "-U %s names no macro", name)
			continue
		}
		b.WriteString("#undef " + name + "\n")
	}
	p.file(commandLine, "", b.String())
}

// bytesPerToken is a guess from below that spares growing the list of tokens: kernels have six to eight.
const bytesPerToken = 6

// file preprocesses a text. Its path leads to what it includes.
func (p *Preprocessor) file(name, at, text string) {
	if p.bytes += len(text); p.bytes > p.limits.Bytes {
		p.fail(diag.Pos{File: name, Line: 1, Column: 1}, "TOO-LARGE", "the program has more than %d MiB",
			p.limits.Bytes>>20)
		p.stopped = true
		return
	}
	p.out.Files[name] = text
	p.out.Tokens = slices.Grow(p.out.Tokens, len(text)/bytesPerToken)
	r := &reader{Preprocessor: p, x: newLexer(name, text, &p.out.Errors), path: at, text: text}
	p.stack = append(p.stack, r)
	e := &expander{p: p}
	e.more = r.next
	for !p.stopped {
		t, ok := e.expand()
		if !ok || t.Kind == EOF {
			break
		}
		if t.Is("#") && t.First && t.From != nil {
			p.madeDirective(t, e)
			continue
		}
		p.emit(t)
	}
	p.stack = p.stack[:len(p.stack)-1]
	if n := len(r.conditions); n > 0 {
		p.fail(r.conditions[n-1].pos, "SYNTAX", "the condition has no #endif")
	}
}

// madeDirective takes a line on which a macro has made # first. [cpp.rescan] makes no directive of it, but nvcc writes
// the expanded text and reads it again, and so "#define UNROLL #pragma unroll" works in CUDA.
func (p *Preprocessor) madeDirective(at Token, e *expander) {
	var line []Token
	t, ok := e.expand()
	for ; ok && t.Kind != newline && t.Kind != EOF; t, ok = e.expand() {
		line = append(line, t)
	}
	if len(line) > 0 && line[0].Is("pragma") {
		p.pragma(line[1:], at)
		return
	}
	p.emit(at)
	for _, t := range line {
		p.emit(t)
	}
}

// emit adds a token to the program.
func (p *Preprocessor) emit(t Token) {
	switch t.Kind {
	case newline:
		return
	case Punct:
		p.bracket(&t)
	case Directive:
		directive(&t)
	case Ident:
		if t.Text == "_Pragma" {
			p.pragmaOperator(t)
			return
		}
	}
	p.grow()
	p.out.Tokens = append(p.out.Tokens, t)
	n := len(p.out.Tokens)
	if t.Is(")") || t.Kind == String {
		p.closePragma(n)
	}
	if n > mostTokens && !p.stopped {
		p.fail(t.Pos, "TOO-LARGE", "the program has more than %d tokens", mostTokens)
		p.stopped = true
	}
}

// grow makes room for the next token: where a long list is full, for as many as the rest of the text has if it is like
// what has been read. Appending alone would have two lists at once ever again.
func (p *Preprocessor) grow() {
	n := len(p.out.Tokens)
	if n < cap(p.out.Tokens) || n < longList || len(p.stack) == 0 {
		return
	}
	x := p.stack[len(p.stack)-1].x
	more := float64(n) * float64(len(x.text)-x.at) / float64(max(x.at, 1))
	p.out.Tokens = slices.Grow(p.out.Tokens, n/16+int(min(more, 4*float64(n))))
}

const longList = 1 << 14

// mostTokens bounds a program, so that it is read within 5 s and 1 GB: the 240,000 lines of SQLite have 590,000.
const mostTokens = 2 << 20

// mostBrackets bounds brackets in brackets: the parser reads a hundredth of that, and what lies behind is not worth
// reading.
const mostBrackets = 100_000

// bracket counts the brackets that are open.
func (p *Preprocessor) bracket(t *Token) {
	switch t.Text {
	case "(", "[", "{":
		if p.brackets++; p.brackets > mostBrackets && !p.stopped {
			p.fail(t.Pos, "TOO-LARGE", "%d brackets are open here", p.brackets)
			p.stopped = true
		}
	case ")", "]", "}":
		p.brackets = max(0, p.brackets-1)
	}
}

// pragmaOperator remembers a _Pragma, which ends with the parenthesis behind its string.
func (p *Preprocessor) pragmaOperator(t Token) {
	t.Kind = Pragma
	p.out.Tokens = append(p.out.Tokens, t)
}

// closePragma makes one token of _Pragma ( "text" ).
func (p *Preprocessor) closePragma(n int) {
	all := p.out.Tokens
	if n < 4 || !all[n-1].Is(")") || all[n-2].Kind != String || !all[n-3].Is("(") || all[n-4].Kind != Pragma ||
		all[n-4].Text != "_Pragma" {
		return
	}
	text := all[n-2].Text
	if i := strings.IndexByte(text, '"'); i >= 0 && len(text) > i+1 {
		text = text[i+1 : len(text)-1]
	}
	text = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(text)
	t := all[n-4]
	p.out.Tokens = all[:n-4]
	var errs diag.List
	x := newLexer(t.Pos.File, text, &errs)
	var line []Token
	for u := x.next(); u.Kind != EOF; u = x.next() {
		u.Pos = t.Pos
		line = append(line, u)
	}
	p.pragma(line, t)
}

// brokenPragmas takes each _Pragma out that no string in parentheses follows.
func (p *Preprocessor) brokenPragmas() {
	before := len(p.out.Before)
	rest := slices.DeleteFunc(p.out.Tokens[before:], func(t Token) bool {
		broken := t.Kind == Pragma && t.Text == "_Pragma"
		if broken {
			p.fail(t.Pos, "SYNTAX", `write _Pragma("text")`)
		}
		return broken
	})
	p.out.Tokens = p.out.Tokens[:before+len(rest)]
}

// pragma adds one to the program, or executes it.
func (p *Preprocessor) pragma(line []Token, at Token) {
	at.Kind, at.Text = Pragma, "#pragma"
	for i, t := range line {
		if i == 0 || t.Spaced {
			at.Text += " "
		}
		at.Text += t.Text
	}
	if len(line) > 0 && line[0].Is("once") || p.keepsMacro(line) {
		return
	}
	at.Args = p.expandList(line)
	p.out.Tokens = append(p.out.Tokens, at)
}
