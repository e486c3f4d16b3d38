package resolve

import (
	"slices"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/constant"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/launches"
	"gpupipe/frontend/prelude"
	"gpupipe/frontend/preprocess"
	"gpupipe/frontend/source"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
	"gpupipe/internal/spelling"
)

// Codes of the diagnostics that checking gives.
const (
	codeUndeclared  = "UNDECLARED"  // a name that nothing declares
	codeType        = "TYPE"        // operands or arguments of the wrong type
	codeAccess      = "ACCESS"      // a member that is private or protected
	codeAssert      = "ASSERT"      // a static_assert that does not hold
	codeConstant    = "CONSTANT"    // a constant is needed and cannot be had
	codeSpace       = "SPACE"       // address spaces that do not go together
	codeDeclare     = "DECLARATION" // a declaration that means nothing
	codeRecursion   = "RECURSION"   // a function that calls itself
	codeIgnored     = "IGNORED"     // a call that stands for no instruction
	codeStatement   = "STATEMENT"   // break, case, return out of place
	codeUnsupported = "UNSUPPORTED" // what cannot be analysed
	codePragma      = "PRAGMA"      // an unroll request without effect
)

// maxNesting bounds the depth of expressions and statements, and with it the
// recursion of every later stage.
const maxNesting = 5000

// context is where in the program something is being read.
type context struct {
	scope     *scope
	fn        *function  // whose body is being read, nil at namespace scope
	errs      *diag.List // of the function or declaration
	dead      int        // > 0: inside a branch that a constant condition removes, or an operand that is not evaluated
	constants int        // nested constant expressions
	quiet     int        // > 0: errors are kept from the user
	throws    bool       // what has been read may throw
	breakOK   bool       // inside a loop or switch
	loopOK    bool       // inside a loop
	jumps     jumps
	cleanups  *cleanup
	// temporaries are those of the full expression that is being read which have a destructor.
	temporaries []destroyed
	switching   *switching
	names       map[string]bool // undeclared names that have been reported for the function
}

// checker resolves one file. Errors never stop it: what cannot be typed gets the invalid type, and nothing more is said
// about expressions that contain it.
type checker struct {
	context
	cfg      *Config
	unit     *ast.Unit
	builtins *builtins.Table
	file     *scope // the global namespace
	seq      int

	classes        map[*ctypes.Type]*class
	enums          map[*ctypes.Type]*enum
	unique         map[*ctypes.Type]bool
	holders        map[*ctypes.Type]*template
	funcTypes      map[*ctypes.Type]*funcType
	functionTypes  map[string]*ctypes.Type
	memberPointers map[*ctypes.Type]*memberPointer
	values         map[*ast.Object]ast.Expr      // initialisers of constant objects
	constexprs     map[*ast.Function]*function   // those that constant expressions may call
	constResults   map[*ast.Function]bool        // those that return a const object
	constValues    map[ast.Expr]bool             // objects without a name that are const
	initial        map[*ast.Assign]bool          // assignments of the first value of an object
	selfNamed      map[*ast.StmtExpr]*ast.Object // objects that initialisers of their members keep the address of
	gaveUp         constant.GiveUp               // what the last evaluation ended with
	overwritten    map[*ast.Object]bool          // in constant memory and not const: the host writes them
	afterClass     map[*class][]func()
	visited        map[*class]bool // by a look-up by arguments
	sigThis        []*function
	inheritedCtors map[[2]any]*function
	// argumentObjects are the objects that parameters of templates of a class stand for, by their values.
	argumentObjects map[string]*ast.VarRef
	callers         map[*ast.Object]bool   // parameters that are objects of the caller's
	mutable         []*ast.Object          // constant objects with members that may change
	dynamic         map[*ast.Object]*class // of the objects that pointers lead to, where it is known

	funcs      []*function
	kernels    []*function
	globals    []*symbol
	explicit   []explicitInstance
	host       *syntax.File // the file as the host's compiler sees it, nil where it launches nothing
	bindings   []source.Binding
	requests   map[*function][]*function    // the instances of kernel templates
	assumed    map[*function]*diag.Error    // what has been assumed of these
	addressed  map[*ctypes.Type][]addressed // the functions of a type whose addresses are taken
	dispatches []*dispatch
	made       []*class // with virtual functions, of which objects are made
	// what is not understood of the arguments that the source gives these templates
	misread  map[*function]*diag.Error
	launches []launches.Launch
	launchOf []*function // the kernels of these, nil where that is not clear
	asserts  []assertion
	rejected []*syntax.BadDecl
	skipped  []preprocess.Skipped // kernels that conditions leave out

	standIns map[string]templateArg // see canonical

	macros  map[*diag.Error]string // undeclared names that may be macros
	noted   map[string]bool        // calls already noted as ignored
	told    map[*diag.Error]bool   // errors that belong to a kernel
	depth   int
	count   int // instances
	nesting int // of instances
	lambdas int
}

type explicitInstance struct {
	d   *syntax.Instantiation
	in  *scope
	seq int
}

type assertion struct {
	d   *syntax.StaticAssert
	in  *scope
	seq int
}

// enterDeclaration begins to read a declaration that lies elsewhere; the result goes back.
func (c *checker) enterDeclaration() (done func()) {
	saved := c.context
	c.context = context{scope: c.scope, errs: saved.errs, quiet: saved.quiet}
	return func() { c.context = saved }
}

// fail reports a type error and returns the invalid expression.
func (c *checker) fail(pos diag.Pos, format string, args ...any) ast.Expr {
	c.errorf(pos, codeType, format, args...)
	return invalidAt(pos)
}

// errorf reports an error. Types are spelled as the user writes them.
func (c *checker) errorf(pos diag.Pos, code, format string, args ...any) *diag.Error {
	e := diag.Errorf(pos, code, format, c.spellTypes(args)...)
	c.errs.Add(e)
	return e
}

// unsupported reports a construct that cannot be analysed; advice says what the
// user can do about it.
func (c *checker) unsupported(pos diag.Pos, construct, advice string) *diag.Error {
	e := c.errorf(pos, codeUnsupported, "%s not supported", construct)
	if advice != "" {
		_ = e.WithNote("%s", advice)
	}
	return e
}

// refuse is unsupported for an expression, which becomes the invalid one.
func (c *checker) refuse(pos diag.Pos, construct, advice string) ast.Expr {
	c.unsupported(pos, construct, advice)
	return invalidAt(pos)
}

func (c *checker) warnf(pos diag.Pos, code, format string, args ...any) {
	if c.quiet > 0 {
		return
	}
	c.unit.Warnings.Add(diag.Warningf(pos, code, format, c.spellTypes(args)...))
}

// spellTypes spells the types among the arguments of a message.
func (c *checker) spellTypes(args []any) []any {
	for i, a := range args {
		if t, ok := a.(*ctypes.Type); ok {
			args[i] = c.spell(t)
		}
	}
	return args
}

// enter counts a level of nesting; it reports false where there are too many. Every enter needs a leave.
func (c *checker) enter() bool {
	c.depth++
	return c.depth < maxNesting
}

// tooDeep reports, once, what is nested too deep.
func (c *checker) tooDeep(pos diag.Pos) {
	if c.depth == maxNesting {
		c.errorf(pos, codeUnsupported, "nested more than %d levels deep", maxNesting)
	}
}

func (c *checker) leave() { c.depth-- }

// undeclared reports an unknown name, once in a function, and what it might
// have been. what is "name", "type" or "function".
func (c *checker) undeclared(pos diag.Pos, name, what string) {
	if !c.firstTime(name) {
		return
	}
	if what == "name" {
		what = ""
	} else {
		what += " "
	}
	e := c.errorf(pos, codeUndeclared, "%s%s is not declared", what, name)
	if c.quiet > 0 || c.foreign(e, name) {
		return
	}
	if later := c.file.own(name, 0, false); later != nil && later.pos.Line > 0 && !c.isLibrary(later.pos) {
		_ = e.WithNote("it is declared at %v, behind its use here", later.pos)
		return
	}
	if h := c.headerOf(name); h != "" {
		_ = e.WithNote("#include <%s> declares it", h)
		return
	}
	candidates := c.visibleNames()
	if what == "function " {
		candidates = append(candidates, c.builtins.Names...)
	}
	near := spelling.DidYouMean(name, candidates)
	if near != "" {
		_ = e.WithNote("%s", near)
	}
	switch {
	case isAllCaps(name):
		_ = e.WithNote("looks like a macro: add -D %s=...", name)
		c.macros[e] = name
	case what == "type ":
		_ = e.WithNote("include the file that defines it, or add -D %s=TYPE", name)
	case what == "" && near == "" && !strings.Contains(name, "::"): // tuners define names in lower case
		_ = e.WithNote("if the host program defines it when it builds the kernel, add -D %s=...", name)
		c.macros[e] = name
	}
}

// headerOf names a header of a library that would declare a name.
func (c *checker) headerOf(name string) string {
	if c.cfg.Dialect != ast.CUDA {
		return ""
	}
	return prelude.HeaderOf(name)
}

// firstTime reports whether a name has not been reported in the function that is being read, and notes it.
func (c *checker) firstTime(name string) bool {
	if c.names == nil || c.quiet > 0 {
		return true
	}
	known := c.names[name]
	c.names[name] = true
	return !known
}

// unitOf types the kernels of a file and what they need.
func (c *checker) unitOf(file *syntax.File) (*ast.Unit, error) {
	var stray diag.List
	c.errs = &stray
	c.scope = c.file
	c.declareAll(file.Decls, c.file)
	c.strayDirectives(file.Launches)
	for i := 0; i < len(c.funcs); i++ {
		f := c.funcs[i]
		if f.isKernel && f.params == nil && f.body != nil {
			c.kernel(f)
		}
	}
	c.chooseInstances()
	return c.finish(stray)
}

func newChecker(cfg *Config) *checker {
	c := &checker{cfg: cfg, unit: &ast.Unit{Dialect: cfg.Dialect, Target: cfg.Target},
		classes: map[*ctypes.Type]*class{}, enums: map[*ctypes.Type]*enum{}, unique: map[*ctypes.Type]bool{},
		holders: map[*ctypes.Type]*template{},

		argumentObjects: map[string]*ast.VarRef{},
		funcTypes:       map[*ctypes.Type]*funcType{}, functionTypes: map[string]*ctypes.Type{},
		values: map[*ast.Object]ast.Expr{}, overwritten: map[*ast.Object]bool{},
		constexprs: map[*ast.Function]*function{}, constResults: map[*ast.Function]bool{},
		constValues: map[ast.Expr]bool{}, initial: map[*ast.Assign]bool{},
		selfNamed: map[*ast.StmtExpr]*ast.Object{},
		callers:   map[*ast.Object]bool{}, dynamic: map[*ast.Object]*class{}, afterClass: map[*class][]func(){},
		misread: map[*function]*diag.Error{}, addressed: map[*ctypes.Type][]addressed{},
		standIns: map[string]templateArg{},
		macros:   map[*diag.Error]string{}, noted: map[string]bool{}, told: map[*diag.Error]bool{},
	}
	c.builtins = builtins.OpenCL()
	if cfg.Dialect == ast.CUDA {
		c.builtins = builtins.CUDA()
	}
	c.errs = &diag.List{}
	c.file = &scope{kind: fileScope}
	c.prelude()
	return c
}

// kernel makes a function one of the unit's kernels.
func (c *checker) kernel(f *function) {
	c.readKernel(f)
	c.kernels = append(c.kernels, f)
}

// readKernel reads a kernel's signature and body.
func (c *checker) readKernel(f *function) {
	if f.fn != nil {
		return
	}
	var errs diag.List
	c.errs = &errs
	c.signatureOf(f)
	f.bodyErrs.Add(errs...)
	c.errs = &f.bodyErrs
	if f.sig == nil {
		f.fn = &ast.Function{Name: f.name, Pos: f.pos, Kernel: true, Result: ctypes.Scalar(ctypes.Void)}
		return
	}
	c.represent(f) // also of a signature with an error: all that the kernel lacks is told at once
	c.bodyOf(f)
}

// finish decides which kernels are usable. A kernel shares the fate of every
// function that it calls.
func (c *checker) finish(stray diag.List) (*ast.Unit, error) {
	var all diag.List
	for _, r := range c.rejected {
		if r.Kernel && r.Err != nil {
			c.unit.Broken = append(c.unit.Broken, ast.Broken{Name: r.Ident, Pos: r.Pos, Err: diag.List{r.Err}})
			all.Add(r.Err)
		}
	}
	slices.SortStableFunc(c.kernels, func(a, b *function) int { return a.pos.Compare(b.pos) })
	c.distinctNames()
	failed := c.failedAsserts()
	c.writeDispatches()
	c.makeInPlace()
	for _, f := range c.kernels {
		errs := c.errorsOf(f)
		errs.Add(failed...)
		if len(errs) == 0 {
			if err := ast.VerifyFunction(f.fn); err != nil {
				errs.Add(diag.Errorf(f.pos, diag.CodeInternal, "%v", err).WithNote(
					"this is a bug of the front end: please report it with the source"))
			}
		}
		if len(errs) == 0 {
			c.unit.Kernels = append(c.unit.Kernels, f.fn)
			continue
		}
		errs.Sort()
		c.unit.Broken = append(c.unit.Broken, ast.Broken{Name: f.fn.Name, Pos: f.pos, Err: c.gatherMacros(errs)})
		for _, e := range errs {
			if !slices.Contains(all, e) {
				all.Add(e)
			}
		}
	}
	c.readGlobals()
	slices.SortStableFunc(c.unit.Broken, func(a, b ast.Broken) int { return a.Pos.Compare(b.Pos) })
	if len(c.unit.Kernels) == 0 {
		return nil, c.nothingUsable(all, stray)
	}
	if c.cfg.Dialect == ast.OpenCL { // most of CUDA's files is the host's
		c.noteUnneeded(all, stray)
	}
	for _, obj := range c.mutable { // to the stages behind this one they are variables
		obj.Const = false
	}
	c.addLaunches()
	c.unit.Warnings.Sort()
	return c.unit, nil
}

// noteUnneeded makes notes of the errors of declarations that no kernel needs; those of kernels are in all.
func (c *checker) noteUnneeded(all, stray diag.List) {
	for _, r := range c.rejected {
		if r.Err != nil {
			stray.Add(r.Err)
		}
	}
	for _, sym := range c.globals {
		stray.Add(sym.errs...)
	}
	for i, e := range stray {
		if !c.told[e] && !slices.Contains(all, e) && !slices.Contains(stray[:i], e) && !c.isLibrary(e.Pos) {
			n := *e
			n.Severity = diag.SeverityNote
			n.Message += " (no usable kernel needs it)"
			c.unit.Warnings.Add(&n)
		}
	}
}

// maxSkipped is how many kernels a message names that conditions leave out.
const maxSkipped = 4

// nothingUsable is the error of a file without a usable kernel.
func (c *checker) nothingUsable(all, stray diag.List) error {
	if len(c.unit.Broken) == 0 {
		keyword := "__kernel"
		if c.cfg.Dialect == ast.CUDA {
			keyword = "__global__"
		}
		e := diag.Errorf(diag.Pos{File: c.cfg.File}, "NOKERNEL", "the file defines no kernel")
		for _, k := range c.skipped[:min(len(c.skipped), maxSkipped)] {
			_ = e.WithNote("%s in line %d needs %s: see -D", k.Name, k.Pos.Line, strings.Join(k.Conditions, " and "))
		}
		for _, f := range c.funcs {
			for _, mark := range f.decl.Specs.Unknown {
				_ = e.WithNote("%s in line %d is marked %s, which is not declared: add -D %[3]s=...", f.name,
					f.pos.Line, mark.Ident)
			}
		}
		if len(e.Notes) == 0 {
			_ = e.WithNote("a kernel is a function marked %s; is it in a file that is included, or made by a macro?",
				keyword)
		}
		all.Add(e)
		all.Add(stray...)
		for _, r := range c.rejected {
			if r.Err != nil && !c.isLibrary(r.Pos) {
				all.Add(r.Err)
			}
		}
	}
	for _, b := range c.unit.Broken {
		if list, ok := b.Err.(diag.List); ok {
			for _, e := range list {
				if !slices.Contains(all, e) && len(all) == 0 {
					all.Add(e)
				}
			}
		}
	}
	return c.gatherMacros(all).Err()
}
