package frontend

import (
	"slices"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/load"
	"gpupipe/internal/diag"

	"modernc.org/cc/v4"
)

// Codes of the diagnostics that checking gives.
const (
	codeUndeclared = "UNDECLARED"  // a name that nothing declares
	codeType       = "TYPE"        // operands or arguments of the wrong type
	codeConstant   = "CONSTANT"    // a constant is needed and cannot be had
	codeSpace      = "SPACE"       // address spaces that do not go together
	codeDeclare    = "DECLARATION" // a declaration that means nothing
	codeRecursion  = "RECURSION"   // a function that calls itself
	codeIgnored    = "IGNORED"     // a call that stands for no instruction
	codeStatement  = "STATEMENT"   // break, case, return out of place
)

// maxNesting bounds the depth of expressions and statements, and with it the
// recursion of every later stage.
const maxNesting = 5000

// checker turns the tree of one file into typed functions. It walks the file
// once, in order, as C's declaration rules ask for. Errors never stop it: what
// cannot be typed gets the invalid type, and nothing more is said about
// expressions that contain it.
type checker struct {
	cfg      *Config
	p        *load.Parsed
	unit     *Unit
	builtins *builtins.Table
	scope    *scope
	funcs    []*funcInfo            // in order of their first declaration
	fn       *funcInfo              // the function being checked, nil at file scope
	errs     *diag.List             // of the function or declaration being checked
	pending  []*symbol              // file-scope names with an error
	macros   map[*diag.Error]string // undeclared names that may be macros
	tagErrs  map[*Type]diag.List    // of structs whose definition failed
	sizes    map[*Object]*InitList  // values of constants of the type cuda::aligned_size_t
	depth    int
	dead     int         // > 0: inside a branch that a constant condition removes
	breakOK  bool        // inside a loop or switch
	loopOK   bool        // inside a loop
	jumps    jumps       // of fn
	lambda   *lambdaCall // whose body is being checked, nil outside of one
	// constants counts the nested constant expressions that are being typed.
	constants int
	noted     map[string]bool      // calls already noted as ignored
	told      map[*diag.Error]bool // errors that belong to a kernel
}

// funcInfo is what the checker knows of a function beyond its Function.
type funcInfo struct {
	*Function
	def    *cc.FunctionDefinition // nil: only declared
	errs   diag.List
	calls  []callSite
	names  map[string]bool    // undeclared names already reported
	result *Type              // as declared: a reference is its pointer
	refs   []bool             // params that are CUDA references
	inline map[string]*lambda // its copies, by the callables that they are given (infer_callable.go)
	// returnsRef is set when the result is a reference, given as its pointer.
	returnsRef bool
}

type callSite struct {
	fn  *funcInfo
	pos Pos
}

// check types a parsed file.
func check(cfg *Config, p *load.Parsed) (*Unit, error) {
	c := &checker{
		cfg: cfg, p: p,
		unit:     &Unit{Dialect: cfg.Dialect},
		builtins: builtinsOf(cfg.Dialect),
		scope:    &scope{},
		errs:     &diag.List{},
		noted:    map[string]bool{},
		told:     map[*diag.Error]bool{},
		macros:   map[*diag.Error]string{},
		tagErrs:  map[*Type]diag.List{},
		sizes:    map[*Object]*InitList{},
	}
	for tu := p.AST.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		c.external(tu.ExternalDeclaration)
	}
	return c.finish()
}

func (c *checker) external(ed *cc.ExternalDeclaration) {
	switch ed.Case {
	case cc.ExternalDeclarationFuncDef:
		c.functionDefinition(ed.FunctionDefinition)
	case cc.ExternalDeclarationDecl:
		var errs diag.List
		c.errs = &errs
		before := len(c.scope.order)
		c.declaration(ed.Declaration, nil)
		c.blame(c.scope.order[before:], errs)
	case cc.ExternalDeclarationAsmStmt:
		c.unit.Warnings.Add(diag.Warningf(c.p.Pos(ed.AsmStatement), load.CodeUnsupported, "inline assembly at file scope is left out"))
	}
}

// blame attaches the errors of a file-scope declaration to the names that it
// declares: only functions that use one of them suffer.
func (c *checker) blame(symbols []*symbol, errs diag.List) {
	if len(errs) == 0 {
		return
	}
	if len(symbols) == 0 {
		// A struct without a variable: its members are invalid where used.
		symbols = []*symbol{{}}
	}
	for _, s := range symbols {
		s.errs = errs
	}
	c.pending = append(c.pending, symbols[0])
}

// use reports the errors of a file-scope name in the function that uses it.
func (c *checker) use(s *symbol) { c.blameOn(s.errs) }

// blameOn reports errors of something that the current function uses, once.
func (c *checker) blameOn(errs diag.List) {
	for _, e := range errs {
		if !slices.Contains(*c.errs, e) {
			c.errs.Add(e)
		}
	}
}

// errorf reports an error. Types are spelled as the user writes them.
func (c *checker) errorf(pos Pos, code, format string, args ...any) *diag.Error {
	for i, a := range args {
		switch a := a.(type) {
		case *Type:
			args[i] = c.spell(a)
		case string: // a name may be that of a template's copy
			args[i] = c.p.Program.Templates.Display(a)
		}
	}
	e := diag.Errorf(pos, code, format, args...)
	c.errs.Add(e)
	return e
}

// spell is a type as the user writes it: S<float> for the copy of a template.
func (c *checker) spell(t *Type) string {
	of := t
	for of.Elem != nil {
		of = of.Elem
	}
	if of.Name == "" {
		return t.String()
	}
	return strings.Replace(t.String(), of.Name, c.p.Program.Templates.Display(of.Name), 1)
}

// unsupported reports a construct that cannot be analysed; advice says what the
// user can do about it.
func (c *checker) unsupported(pos Pos, construct, advice string) *diag.Error {
	e := c.errorf(pos, load.CodeUnsupported, "%s not supported", construct)
	if advice != "" {
		_ = e.WithNote("%s", advice)
	}
	return e
}

func (c *checker) warnf(pos Pos, code, format string, args ...any) {
	c.unit.Warnings.Add(diag.Warningf(pos, code, format, args...))
}

// enter counts a level of nesting; it reports false, once with an error, when
// there are too many. Every enter needs a leave.
func (c *checker) enter(n cc.Node) bool {
	c.depth++
	if c.depth == maxNesting {
		c.errorf(c.p.Pos(n), load.CodeUnsupported, "nested more than %d levels deep", maxNesting)
	}
	return c.depth < maxNesting
}

func (c *checker) leave() { c.depth-- }

// finish decides which kernels are usable. A kernel shares the fate of every
// function that it calls.
func (c *checker) finish() (*Unit, error) {
	c.unit.Warnings.Add(c.p.Warnings...) // typing may have added some
	var all diag.List
	for _, r := range c.p.Rejected {
		if r.Kernel {
			c.unit.Broken = append(c.unit.Broken, Broken{Name: c.p.Program.Templates.Display(r.Name), Pos: r.Pos, Err: diag.List{r.Err}})
			all.Add(r.Err)
		}
	}
	for _, f := range c.funcs {
		if !f.Kernel || f.def == nil {
			continue
		}
		errs := c.errorsOf(f)
		if len(errs) == 0 {
			if err := ast.VerifyFunction(f.Function); err != nil {
				errs.Add(diag.Errorf(f.Pos, "INTERNAL", "%v", err).WithNote("this is a bug of the front end: please report it with the source"))
			}
		}
		if len(errs) == 0 {
			c.unit.Kernels = append(c.unit.Kernels, f.Function)
			continue
		}
		errs.Sort()
		if misfits(errs) {
			c.p.Program.Templates.Assumed.Fail(f.Name)
		}
		c.unit.Broken = append(c.unit.Broken, Broken{Name: f.Name, Pos: f.Pos, Err: c.gatherMacros(errs)})
		for _, e := range errs {
			if !slices.Contains(all, e) {
				all.Add(e)
			}
		}
	}
	slices.SortStableFunc(c.unit.Broken, func(a, b Broken) int { return a.Pos.Compare(b.Pos) })
	if len(c.unit.Kernels) == 0 {
		return nil, c.nothingUsable(all)
	}
	for _, f := range c.funcs {
		for _, e := range f.errs {
			if !f.Kernel && !c.told[e] && !c.p.IsLibrary(e.Pos) && !slices.Contains(all, e) {
				c.downgrade(e)
				all.Add(e)
			}
		}
	}
	for _, s := range c.pending {
		for _, e := range s.errs {
			if !c.told[e] && !slices.Contains(all, e) {
				c.downgrade(e)
				all.Add(e)
			}
		}
	}
	for _, r := range c.p.Rejected {
		if !slices.Contains(all, r.Err) {
			c.downgrade(r.Err)
		}
	}
	c.unit.Warnings.Sort()
	return c.unit, nil
}

// downgrade turns the error of something that no kernel uses into a note.
func (c *checker) downgrade(e *diag.Error) {
	n := *e
	n.Severity = diag.SeverityNote
	n.Message += " (no usable kernel needs it)"
	c.unit.Warnings.Add(&n)
}

// nothingUsable is the error of a file without a usable kernel.
func (c *checker) nothingUsable(all diag.List) error {
	for _, s := range c.pending {
		for _, e := range s.errs {
			if !c.told[e] && !slices.Contains(all, e) {
				all.Add(e)
			}
		}
	}
	if len(c.unit.Broken) == 0 {
		keyword := "__kernel"
		if c.cfg.Dialect == CUDA {
			keyword = "__global__"
		}
		e := diag.Errorf(Pos{File: c.cfg.File}, "NOKERNEL", "the file defines no kernel")
		for _, note := range c.p.ConditionalKernels() {
			_ = e.WithNote("%s", note)
		}
		if len(e.Notes) == 0 {
			_ = e.WithNote("a kernel is a function marked %s; is it in a file that is included, or made by a macro?", keyword)
		}
		all.Add(e)
	}
	return c.gatherMacros(all).Err()
}

// errorsOf collects the errors of a function and of all that it calls, and
// reports recursion and calls of functions without a body. Those of libraries
// stand where they are called from.
func (c *checker) errorsOf(root *funcInfo) diag.List {
	var errs diag.List
	const active, done = 1, 2
	state := map[*funcInfo]int{}
	seen := map[*diag.Error]bool{}
	var visit func(f *funcInfo, caller Pos)
	visit = func(f *funcInfo, caller Pos) {
		add := func(e *diag.Error) {
			if e, ok := c.atCaller(e, caller, errs); ok {
				errs.Add(e)
			}
		}
		state[f] = active
		for _, e := range f.errs {
			c.told[e] = true
			if !seen[e] {
				seen[e] = true
				add(e)
			}
		}
		for _, call := range f.calls {
			at := caller
			if !c.p.IsLibrary(call.pos) {
				at = call.pos
			}
			switch {
			case call.fn.def == nil:
				add(diag.Errorf(call.pos, codeUndeclared, "function %s is declared but not defined", call.fn.Name).
					WithNote("include the file that defines it, or give its definition with --include"))
			case state[call.fn] == active:
				add(diag.Errorf(call.pos, codeRecursion, "recursion: %s is called again before it returns", call.fn.Name).
					WithNote("functions are inlined; rewrite the recursion as a loop"))
			case state[call.fn] != done:
				visit(call.fn, at)
			}
		}
		state[f] = done
	}
	visit(root, root.Pos)
	return errs
}
