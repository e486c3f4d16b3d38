package load

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/cxx"
	"gpupipe/frontend/encoding"
	"gpupipe/frontend/source"
	"gpupipe/frontend/tokens"
	"gpupipe/internal/diag"

	"modernc.org/cc/v4"
	mtoken "modernc.org/token"
)

// Parsed is a source file after cc.Parse, before checking: an untyped tree of
// the user's program, in the encodings of package encoding. The prelude's
// declarations come first in it; nothing else is added.
type Parsed struct {
	AST        *cc.AST
	Warnings   diag.List
	Directives []Directive
	// Rejected are the functions left out of the tree because they use what
	// cannot be parsed (in source order). If it holds every kernel,
	// Parse fails instead.
	Rejected []Rejected

	// Defaults are the default arguments of functions, for calls whose function
	// only typing finds.
	Defaults map[string][]cc.ExpressionNode

	// Program are the files, with their templates, of which typing makes more copies.
	Program *cxx.Program

	l *loader
}

// IsLibrary reports whether a position lies in text that stands for a library.
func (p *Parsed) IsLibrary(pos diag.Pos) bool { return p.l.isLibrary(pos) }

// LaunchesKernels reports whether the file launches kernels.
func (p *Parsed) LaunchesKernels() bool { return p.l.launchesSomething() }

// Rejected is a kernel or device function that cannot be parsed.
type Rejected struct {
	Name   string
	Pos    diag.Pos
	Kernel bool
	Err    *diag.Error
}

// Directive is one "// idgen:" comment. Directives are in source order;
// several may name the same kernel, but no key twice for one.
type Directive struct {
	Pos    diag.Pos
	Fields []DirectiveField
	// Kernel is the definition that follows the comment.
	Kernel *cc.FunctionDefinition
}

// DirectiveField is one KEY=VALUE of a directive. Keys are validated (local,
// global, groups, dynamic-local, arg.NAME); Exprs holds the one to three
// expressions of the value, macros expanded.
type DirectiveField struct {
	Pos   diag.Pos // of the key
	Key   string
	Exprs []cc.ExpressionNode
}

// Hint is an unroll pragma. Rewriting made it the label of the statement
// that follows it, "case __kl_unroll(...):", in or outside of a switch.
type Hint struct {
	Pos    diag.Pos
	Kind   ast.PragmaKind
	Text   string            // as written, for messages
	Factor cc.ExpressionNode // the N of UnrollFactor, 1 or 0 included, macros expanded; nil: Value
	Value  int64             // the N of UnrollFactor where Factor is nil
}

// Hint tells whether a label is an unroll pragma in disguise; a hint of kind 0
// is another pragma, to be ignored. Labels may be stacked, and what they lead
// to need not be a loop.
func (p *Parsed) Hint(l *cc.LabeledStatement) (h Hint, ok bool) {
	name, args := labelCall(l)
	switch {
	case name == encoding.LabelUnroll && len(args) > 0:
		id, err := strconv.Atoi(cc.NodeSource(args[0]))
		if err != nil || id < 0 || id >= len(p.l.hints) {
			return h, false
		}
		t := p.l.hints[id]
		h = Hint{Pos: p.Pos(l), Kind: t.kind, Text: t.text}
		if len(args) > 1 {
			h.Factor = args[1]
		}
		return h, true
	case name == encoding.LabelPragma && len(args) > 0:
		h.Pos = p.Pos(l)
		p.stringHint(&h, destringize(cc.NodeSource(args[0])))
		return h, true
	}
	return h, false
}

// labelCall returns the callee and the arguments of "case name(args):".
func labelCall(l *cc.LabeledStatement) (name string, args []cc.ExpressionNode) {
	if l == nil || l.Case != cc.LabeledStatementCaseLabel {
		return "", nil
	}
	e := l.ConstantExpression
	if c, ok := e.(*cc.ConstantExpression); ok {
		e = c.ConditionalExpression
	}
	call, ok := e.(*cc.PostfixExpression)
	if !ok || call.Case != cc.PostfixExpressionCall {
		return "", nil
	}
	f, ok := call.PostfixExpression.(*cc.PrimaryExpression)
	if !ok || f.Case != cc.PrimaryExpressionIdent {
		return "", nil
	}
	for a := call.ArgumentExpressionList; a != nil; a = a.ArgumentExpressionList {
		args = append(args, a.AssignmentExpression)
	}
	return f.Token.SrcStr(), args
}

// stringHint reads a pragma whose text only expansion has made known. Its
// factor is a number or a macro that stands for one.
func (p *Parsed) stringHint(h *Hint, text string) {
	h.Text = "#pragma " + text
	x, _, err := tokens.Lex(text, false)
	if err != nil {
		return
	}
	words := x.Words(0, len(x.Tokens))
	u := readUnroll(words)
	if u.kind == ast.UnrollFactor && u.bad == "" {
		u.bad = "its factor is no number"
		if v, ok := p.macroValue(words[u.from:u.to], 0); ok {
			h.Value, u.bad = v, ""
		}
	}
	if u.bad != "" {
		p.Warnings.Add(diag.Warningf(h.Pos, CodePragma, "%s is ignored: %s", h.Text, u.bad))
		return
	}
	h.Kind = u.kind
}

// macroValue evaluates (N), N or an object-like macro that stands for it.
func (p *Parsed) macroValue(words []string, depth int) (int64, bool) {
	for len(words) > 2 && words[0] == "(" && words[len(words)-1] == ")" {
		words = words[1 : len(words)-1]
	}
	if len(words) != 1 || depth > 16 {
		return 0, false
	}
	if v, err := strconv.ParseInt(strings.TrimRight(words[0], "uUlL"), 0, 64); err == nil {
		return v, true
	}
	m := p.AST.Macros[words[0]]
	if m == nil || m.IsFnLike {
		return 0, false
	}
	var next []string
	for _, t := range m.ReplacementList() {
		next = append(next, t.SrcStr())
	}
	return p.macroValue(next, depth+1)
}

// Pos is the position of the first token of n in the user's file, exact
// through #include, #line and continuation lines. Everything that a macro
// expands to is where the macro is used.
func (p *Parsed) Pos(n cc.Node) diag.Pos { return p.l.position(n.Position()) }

// FromPrelude reports whether n (a declarator, say) was declared by the
// prelude rather than by the user.
func (p *Parsed) FromPrelude(n cc.Node) bool { return n.Position().Filename == encoding.PreludeName }

// position translates one of cc's positions.
func (l *loader) position(q mtoken.Position) diag.Pos {
	switch q.Filename {
	case "", encoding.PreludeName:
		return diag.Pos{File: q.Filename}
	case nameEnd:
		return l.main.LogicalPos(len(strings.TrimRight(l.main.Text, " \t\r\n")))
	case nameDirectives:
		if p, ok := l.endText.pos(q.Line, q.Column); ok {
			return p
		}
	}
	s := l.sourceOf(q.Filename)
	if s == nil {
		return diag.Pos{File: l.cfg.File}
	}
	return s.OutPos(q.Offset)
}

// attempt is what one run of cc gives.
type attempt struct {
	ast *cc.AST
	err error
}

// load reads the file and what it includes, again as long as that brings
// templates to light with arguments that they have not been written out for.
func load(cfg *Config, inst *cxx.Instances) (l *loader, commands *source.File, e *diag.Error) {
	follow := false
	for round := 0; ; round++ {
		l = newLoader(cfg)
		l.follow = follow
		l.Templates = cxx.NewSet(inst)
		if commands, e = l.commandLine(); e != nil {
			return nil, nil, e
		}
		if l.main, e = l.add(cfg.File, cfg.File, cfg.Text); e != nil {
			return nil, nil, e
		}
		if round < cxx.MaxLoads && inst.Reread() {
			continue
		}
		if l.needsFollowing() {
			follow = true
			continue
		}
		l.ChooseKernels()
		if !l.Templates.Missing() || round >= cxx.MaxLoads {
			return l, commands, nil
		}
	}
}

// Parse reads a source file: it rewrites it into C, preprocesses and parses it, with the template
// arguments that are known already. The error is a *diag.Error or a diag.List, positioned.
func Parse(cfg *Config, inst *cxx.Instances) (*Parsed, error) {
	if cfg.Dialect != source.OpenCL && cfg.Dialect != source.CUDA {
		return nil, diag.Errorf(diag.Pos{File: cfg.File}, "CONFIG", "no language given").WithNote("OpenCL C or CUDA C")
	}
	deadline := time.Now().Add(maxParseTime)
	l, commands, e := load(cfg, inst)
	if e != nil {
		return nil, e
	}
	// What cannot be parsed, in CUDA code mostly for being C++, is left out piece
	// by piece.
	for n := 0; ; n++ {
		if n == 0 {
			if err := l.preprocess(deadline, commands, io.Discard); err != nil {
				return nil, l.failure(err)
			}
		}
		a := l.run(deadline, maxHeap, func(c *cc.Config, src []cc.Source) attempt {
			ast, err := cc.Parse(c, src)
			return attempt{ast, err}
		}, commands)
		if a.err == nil {
			return l.finish(a.ast)
		}
		e := l.failure(a.err)
		if l.standIn() {
			continue
		}
		if n >= maxDropped || !l.drop(e) {
			return nil, e
		}
	}
}

// maxDropped is how many pieces of a file are left out, each at the price
// of parsing it again, before it counts as wrong as a whole.
const maxDropped = 200

// preprocess writes the preprocessed text, a token a call.
func (l *loader) preprocess(deadline time.Time, commands *source.File, w io.Writer) error {
	g := &gauge{limit: min(tokens.MaxTokens, freeTokens+4*l.Tokens)}
	return l.run(deadline, maxMacroHeap, func(c *cc.Config, src []cc.Source) attempt {
		return attempt{err: cc.Preprocess(c, src, io.MultiWriter(g, w))}
	}, commands).err
}

// run lets cc work on the sources.
func (l *loader) run(deadline time.Time, heap uint64, f func(*cc.Config, []cc.Source) attempt, commands *source.File) attempt {
	abi, err := cc.NewABI("linux", "amd64")
	if err != nil {
		return attempt{err: err}
	}
	l.reset()
	cfg := &cc.Config{ABI: abi, FS: l, IncludePaths: []string{"."}, SysIncludePaths: []string{"."}, PragmaHandler: l.pragma}
	include := func(s *source.File) string { return fmt.Sprintf("#include \"%s%d\"\n", namePrefixSource, s.ID) }
	sentinel := "\n\n;int " + encoding.SentinelName + ";\n"
	sources := []cc.Source{
		{Name: encoding.PreludeName, Value: fmt.Sprintf("%s#define %s(id, name) <id:name>\n", l.preludeText(), macroInclude)},
		{Name: nameMissing, Value: l.missingText()},
		{Name: "<start>", Value: include(commands) + include(l.main)},
		// Whatever the user's text ends with ends here: cc hangs at the end of
		// its input in a declarator, for one.
		{Name: nameEnd, Value: sentinel + "#include \"" + nameDirectives + "\"\n" + sentinel},
	}
	a, failure := guarded(deadline, heap, func() attempt { return f(cfg, sources) })
	var crash panicked
	if failure != nil && (!errors.As(failure, &crash) || l.failed == nil) {
		return attempt{err: failure}
	}
	if l.failed != nil {
		return attempt{err: l.failed}
	}
	if err := l.active.Err(); err != nil {
		return attempt{err: err}
	}
	return a
}

// commandLine makes a source of -D, -U and --include.
func (l *loader) commandLine() (*source.File, *diag.Error) {
	var b strings.Builder
	pos := diag.Pos{File: nameCommandLine}
	for _, d := range l.cfg.Defines {
		name, value, ok := strings.Cut(d, "=")
		if !ok {
			value = "1"
		}
		if head, _, _ := strings.Cut(name, "("); !tokens.IsIdentifier(head) || strings.ContainsAny(d, "\n\\") {
			return nil, diag.Errorf(pos, tokens.CodeSyntax, "-D %s defines no macro", d).WithNote("write -D NAME or -D NAME=VALUE")
		}
		fmt.Fprintf(&b, "#define %s %s\n", name, value)
	}
	for _, u := range l.cfg.Undefs {
		if !tokens.IsIdentifier(u) {
			return nil, diag.Errorf(pos, tokens.CodeSyntax, "-U %s names no macro", u)
		}
		fmt.Fprintf(&b, "#undef %s\n", u)
	}
	for _, f := range l.cfg.Includes {
		if f == "" || strings.ContainsAny(f, "\"\n\\") {
			return nil, diag.Errorf(pos, codeInclude, "--include %q names no file", f)
		}
		fmt.Fprintf(&b, "#include \"%s\"\n", f)
	}
	return l.add(nameCommandLine, "", b.String())
}

// finish takes what was added to the program out of the tree again.
func (l *loader) finish(ast *cc.AST) (*Parsed, error) {
	p := &Parsed{AST: ast, Program: l.Program, l: l, Warnings: slices.Clone(l.active)}
	p.Warnings.Add(l.Templates.Notes...)
	if l.embeddedNote != nil {
		p.Warnings.Add(l.embeddedNote)
	}
	var hidden *cc.CompoundStatement
	link := &ast.TranslationUnit
	kernels := 0
	for tu := *link; tu != nil; tu = tu.TranslationUnit {
		ed := tu.ExternalDeclaration
		fd := ed.FunctionDefinition
		switch name := ed.Position().Filename; {
		case name == nameDirectives && fd != nil:
			hidden = fd.CompoundStatement
		case name == nameEnd:
		default:
			*link = tu
			link = &tu.TranslationUnit
			if fd != nil && encoding.AttributeNamed(encoding.AttributesOf(fd.DeclarationSpecifiers, nil), encoding.AttrKernel) != nil {
				kernels++
			}
		}
	}
	*link = nil
	if err := p.reject(kernels); err != nil {
		return nil, err
	}
	if hidden != nil {
		notes, err := p.launchDirectives(hidden)
		if err != nil {
			return nil, l.failure(panicked{err})
		}
		if notes.HasErrors() {
			return nil, notes
		}
		p.Warnings.Add(notes...)
	}
	if l.cfg.Dialect == source.CUDA {
		p.fillDefaults()
	}
	p.checkDefines()
	p.Warnings.Add(l.Program.UselessBindings(l.cfg.File)...)
	p.Warnings.Sort()
	return p, nil
}

// reject lists the functions that were left out. They are the file's errors if
// no kernel remains.
func (p *Parsed) reject(kernels int) error {
	var errs diag.List
	for _, it := range sortItems(p.l.items) {
		if it.err == nil || !p.l.rejectSeen[it.id] {
			continue
		}
		if !it.function {
			p.Warnings.Add(&diag.Error{Pos: it.err.Pos, Severity: diag.SeverityNote, Code: codeDropped,
				Message: fmt.Sprintf("declaration left out: %s", it.err.Message), Notes: it.err.Notes})
			continue
		}
		p.Rejected = append(p.Rejected, Rejected{it.name, it.src.LogicalPos(int(it.src.Tokens[it.start].Start)), it.kernel, it.err})
		errs.Add(it.err)
	}
	if kernels > 0 || len(errs) == 0 {
		return nil
	}
	return errs.Err()
}

// failure turns the error of a run into one of the user's.
func (l *loader) failure(err error) error {
	var (
		crash panicked
		own   *diag.Error
		list  diag.List
	)
	switch {
	case errors.As(err, &own):
		if own.Pos.File == "" {
			own.Pos.File = l.cfg.File
		}
		return own
	case errors.As(err, &list):
		return list
	case errors.As(err, &crash):
		return l.crashed(crash)
	}
	return l.syntaxError(err.Error())
}
