package load

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"

	"gpupipe/frontend/cxx"
	"gpupipe/frontend/embedded"
	"gpupipe/frontend/prelude"
	"gpupipe/frontend/source"
	"gpupipe/frontend/tokens"
	"gpupipe/internal/diag"

	"modernc.org/cc/v4"
)

// cc opens files under names that the loader makes up, so that every source
// has a unique name without a path and none reaches the operating system (cc
// falls back to os.Open when its file system fails, so Open never fails).
// An #include of the user's becomes one of a request; a request's text enters
// and leaves the file by pragmas that the loader handles itself:
//
//	#include "a.h"     #include "kl-inc-3"
//	  kl-inc-3         #pragma __kl_enter 3 7
//	                   #include "kl-src-7"
//	                   #pragma __kl_leave 7
//	#include MACRO     #include __kl_include(4, MACRO)   opens <4:"name">
//
// The preprocessor executes pragmas and includes in order, so that the loader
// knows the stack of files, stops cycles, and hears of rewritten errors and
// directives (#pragma __kl_diag) only where no #if takes them out.
const (
	namePrefixSource  = "kl-src-"
	namePrefixRequest = "kl-inc-"
	nameDirectives    = "kl-directives"
	nameEnd           = "<end>"
	nameCommandLine   = "<command line>"
	macroInclude      = "__kl_include"

	pragmaEnter     = "__kl_enter"
	pragmaLeave     = "__kl_leave"
	pragmaDiag      = "__kl_diag"
	pragmaDirective = "__kl_directive"
	pragmaLine      = "__kl_line"
	pragmaReject    = "__kl_reject"
	pragmaDefine    = "__kl_define"  // the id of a definition comes into force
	pragmaUndef     = "__kl_undef"   // a name has no definition any more
	pragmaRestore   = "__kl_restore" // a name has one of its definitions
	pragmaBound     = "__kl_bound"   // the id of a use of macros follows
)

// includeRequest is one #include of the user's.
type includeRequest struct {
	from   *source.File
	off    int // logical offset of the directive
	name   string
	system bool // <name>
	// source is the file found; nil: not looked for yet, or missing.
	source *source.File
	err    *diag.Error
	looked bool
	// unusable says what is in the way where something of the name exists that is no file to read.
	unusable string
}

// loader serves the sources of one parse to cc and keeps what it learns on the
// way. The first half is filled once, the second one anew by every run.
type loader struct {
	*cxx.Program
	cfg        *Config
	host       bool // host code is read, not device code (host_text.go)
	follow     bool // the preprocessor tells which macros are in force, in lines of its own (rewrite_macro.go)
	byPath     map[string]*source.File
	byText     map[string]*source.File // headers with #pragma once, by their names and texts
	builtIns   map[string]*source.File // by text
	main       *source.File
	requests   []*includeRequest
	diags      []*diag.Error            // by id of #pragma __kl_diag
	hints      []hintText               // by id of an unroll label
	directives []rawLaunch              // by id of #pragma __kl_directive
	items      []*item                  // file-scope items that may be dropped
	itemsOf    map[*source.File][]*item // in source order (OpenCL: only those left out)
	macros     macroTable               // all that were read
	defines    []*macroDef              // by id of #pragma __kl_define
	uses       []macroUse               // by id of #pragma __kl_bound
	gpuMacros  map[string][]string      // object-like ones that depend on the GPU
	bytes      int

	embeddedNote *diag.Error // the source is taken from strings of a program

	stack      []int      // ids of the sources being included
	live       macroTable // macros in force
	entered    int
	once       map[int]bool
	active     diag.List      // what the user shall read
	noted      map[noted]bool // of these
	seen       map[int]bool   // by id of a directive
	rejectSeen map[int]bool   // by id of an item
	launches   []int          // ids of active directives, in order
	failed     *diag.Error
	endText    *directiveText

	// Where the last syntax error was, and the unknown type that it names.
	errSource   *source.File
	errOffset   int
	unknownType string
	missing     []string // types that stand-ins are declared for (missing.go)
}

func newLoader(cfg *Config) *loader {
	l := &loader{cfg: cfg, byPath: map[string]*source.File{}, byText: map[string]*source.File{}, itemsOf: map[*source.File][]*item{}, builtIns: map[string]*source.File{}, macros: newMacroTable(),
		gpuMacros: prelude.GPUMacros(cfg.Dialect, cfg.Architecture)}
	l.Program = &cxx.Program{Defines: cfg.Defines, Bindings: cfg.Templates, Header: l.findHeader, LanguageMacro: l.preludeMacro, Words: cxx.NewWords(), Templates: cxx.NewSet(cxx.NewInstances())}
	return l
}

// reset prepares for another run of cc over the same sources.
func (l *loader) reset() {
	l.stack = append(l.stack[:0], l.main.ID)
	l.entered = 0
	l.live = newMacroTable()
	l.once = map[int]bool{}
	l.active, l.noted = nil, map[noted]bool{}
	l.seen = map[int]bool{}
	l.rejectSeen = map[int]bool{}
	l.launches = nil
	l.failed = nil
	l.endText = nil
	for _, s := range l.Files {
		for i := range s.Marks {
			s.Marks[i].Active = false
		}
	}
}

// add takes a text of the user's in: it lexes and rewrites it.
func (l *loader) add(name, filePath, text string) (*source.File, *diag.Error) {
	s := &source.File{ID: len(l.Files), Name: name, Path: filePath}
	l.Files = append(l.Files, s)
	if filePath != "" {
		l.byPath[path.Clean(filePath)] = s // before rewriting, which looks headers up
	}
	s.Err = l.prepare(s, text)
	return s, s.Err
}

// prepare fills a new source.
func (l *loader) prepare(s *source.File, text string) *diag.Error {
	l.bytes += len(text)
	if l.bytes > maxBytes || len(l.Files) > maxFiles {
		return tokens.Limitf("the program is larger than %d MB or has more than %d files", maxBytes>>20, maxFiles).At(diag.Pos{File: s.Name})
	}
	s.Lines = source.LineStarts(text)
	if s.Path != "" {
		text = l.embedded(s, text)
	}
	list, off, err := tokens.Lex(text, l.cfg.Dialect == source.CUDA)
	if err != nil {
		return err.At(s.SourcePos(off))
	}
	s.List, s.Written = list, list
	shape, tok, err := tokens.ShapeOf(list)
	if err != nil {
		return err.At(s.LogicalPos(int(list.Tokens[tok].Start)))
	}
	if l.Tokens += len(list.Tokens); l.Tokens > tokens.MaxTokens {
		return tokens.Limitf("the program has more than %d tokens", tokens.MaxTokens).At(s.LogicalPos(int(list.Tokens[len(list.Tokens)-1].Start)))
	}
	s.Shape = shape
	if l.cfg.Dialect == source.CUDA && !l.host {
		if err := l.WriteOut(s); err != nil {
			return err
		}
	}
	l.rewrite(s)
	return nil
}

// embedded is the kernels' source in the strings of a program, if a file is one, else its text.
func (l *loader) embedded(s *source.File, text string) string {
	inside, from, found := embedded.Source(s.Name, text)
	if found && strings.TrimSpace(text[:from]) != "" && s.Path == l.cfg.File {
		l.embeddedNote = diag.Notef(s.SourcePos(from), codeEmbedded, "the kernels' source is taken from strings of this file; the program around them is left out")
	}
	return inside
}

// request registers an #include and returns its id.
func (l *loader) request(from *source.File, off int, name string, system bool) int {
	l.requests = append(l.requests, &includeRequest{from: from, off: off, name: name, system: system})
	return len(l.requests) - 1
}

// find looks a request's file up: beside the including file first, unless it is
// a <system> header, then in the include paths.
func (l *loader) find(r *includeRequest) (*source.File, *diag.Error) {
	if !r.looked {
		r.looked = true
		if r.source, r.err = l.search(r); r.source == nil && r.err == nil && l.cfg.Dialect == source.CUDA {
			r.source, r.err = l.builtIn(r.name)
		}
	}
	return r.source, r.err
}

// builtIn is what stands for a header of a library that is not found; nil if nothing does.
func (l *loader) builtIn(name string) (*source.File, *diag.Error) {
	text, ok := prelude.CUBHeader(name)
	switch {
	case name == prelude.HIPHeader:
		text = prelude.HIPRuntime(l.cfg.Architecture)
	case name == prelude.CURANDHeader && !l.host:
		text = prelude.CURAND
	case !ok || l.host: // host code takes its functions as they are
		return nil, nil
	}
	if s := l.builtIns[text]; s != nil {
		return s, s.Err
	}
	s, err := l.add(name, "", text)
	l.builtIns[text] = s
	return s, err
}

func (l *loader) search(r *includeRequest) (*source.File, *diag.Error) {
	if l.cfg.FS == nil {
		return nil, nil
	}
	var dirs []string
	if !r.system {
		dirs = append(dirs, path.Dir(r.from.Path))
	}
	for _, dir := range append(dirs, l.cfg.IncludePaths...) {
		p := path.Join(dir, r.name)
		if path.IsAbs(r.name) {
			p = path.Clean(r.name)
		}
		if s := l.byPath[p]; s != nil {
			return s, s.Err
		}
		text, failure := l.readFile(p)
		if failure != nil {
			if r.unusable == "" && !errors.Is(failure, fs.ErrNotExist) {
				r.unusable = fmt.Sprintf("%s: %v", p, failure)
			}
			continue
		}
		once := ""
		if strings.Contains(text, "#pragma once") { // files are told apart as GCC tells them: by name and text
			once = path.Base(p) + "\n" + text
		}
		if s := l.byText[once]; s != nil && once != "" {
			l.byPath[p] = s
			return s, s.Err
		}
		s, err := l.add(p, p, text)
		l.byText[once] = s
		return s, err
	}
	return nil, nil
}

// readFile reads a file whole, but no more of it than tells that it is larger than maxBytes.
func (l *loader) readFile(p string) (text string, err error) {
	f, err := l.cfg.FS.Open(p)
	if err != nil {
		return "", withoutName(err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return "", withoutName(err)
	case info.IsDir():
		return "", errors.New("is a folder")
	}
	b, err := io.ReadAll(io.LimitReader(f, int64(maxBytes+1)))
	return string(b), withoutName(err)
}

// withoutName is an error of a file without its name and the operation.
func withoutName(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// findHeader is the file that an #include names, or nil: an error is kept for the moment when the #include is
// executed.
func (l *loader) findHeader(from *source.File, off int, name string, system bool) *source.File {
	s, _ := l.find(&includeRequest{from: from, off: off, name: name, system: system})
	return s
}

// exists answers __has_include.
func (l *loader) exists(from *source.File, off int, name string, system bool) bool {
	s, err := l.find(&includeRequest{from: from, off: off, name: name, system: system})
	return s != nil && err == nil
}

// Open serves cc. It never fails.
func (l *loader) Open(name string) (fs.File, error) {
	return &memFile{name: name, Reader: bytes.NewReader([]byte(l.text(name)))}, nil
}

// text is the text of one of the loader's names.
func (l *loader) text(name string) string {
	if rest, ok := strings.CutPrefix(name, namePrefixSource); ok {
		if id, err := strconv.Atoi(rest); err == nil && id < len(l.Files) {
			return l.Files[id].Out
		}
	}
	if rest, ok := strings.CutPrefix(name, namePrefixRequest); ok {
		if id, err := strconv.Atoi(rest); err == nil && id < len(l.requests) {
			return l.serve(id)
		}
	}
	if name == nameDirectives {
		l.endText = l.directivesText()
		return l.endText.text
	}
	// The operand of #include was a macro: ID:"name" or ID:<name.
	id, quoted, ok := strings.Cut(name, ":")
	n, err := strconv.Atoi(id)
	if !ok || err != nil || n >= len(l.requests) || len(quoted) < 2 {
		l.fail(diag.Errorf(diag.Pos{File: l.cfg.File}, codeInclude, "malformed #include"))
		return ""
	}
	r := l.requests[n]
	system := quoted[0] == '<'
	return l.serve(l.request(r.from, r.off, strings.Trim(quoted, `"<>`), system))
}

// serve is the text that a request is replaced by.
func (l *loader) serve(id int) string {
	r := l.requests[id]
	pos := r.from.LogicalPos(r.off)
	s, err := l.find(r)
	switch {
	case err != nil:
		l.fail(err)
		return ""
	case s == nil && prelude.IsKnown(r.name) && (r.system || l.cfg.Dialect == source.CUDA): // in quotes too (C11 6.10.2)
		return ""
	case s == nil && r.unusable != "" && !r.system:
		l.fail(diag.Errorf(pos, codeInclude, "cannot read %q: %s", r.name, r.unusable))
		return ""
	case s == nil && r.system:
		l.note(diag.Notef(pos, codeInclude, "system header <%s> is taken as empty", r.name))
		return ""
	case s == nil && l.cfg.Dialect == source.CUDA:
		// Most headers are the host's: what a kernel misses is reported there.
		w := diag.Warningf(pos, codeInclude, "cannot find %q: taken as empty", r.name)
		if l.cfg.FS != nil {
			_ = w.WithNote("add its directory with -I DIR if kernels need it")
		}
		l.note(w)
		return ""
	case s == nil:
		e := diag.Errorf(pos, codeInclude, "cannot find %q", r.name)
		if l.cfg.FS == nil {
			_ = e.WithNote("no file can be included here")
		} else {
			_ = e.WithNote("add its directory with -I DIR")
		}
		l.fail(e)
		return ""
	}
	return fmt.Sprintf("#pragma %s %d %d\n#include \"%s%d\"\n#pragma %s %d\n", pragmaEnter, id, s.ID, namePrefixSource, s.ID, pragmaLeave, s.ID)
}

// fail keeps the first error that ends the run.
func (l *loader) fail(e *diag.Error) {
	if l.failed == nil {
		l.failed = e
	}
}

// note adds a diagnostic for the user, once.
func (l *loader) note(e *diag.Error) {
	key := noted{e.Pos, e.Message}
	if l.noted[key] {
		return
	}
	l.noted[key] = true
	l.active.Add(e)
}

// noted tells a diagnostic from others.
type noted struct {
	pos     diag.Pos
	message string
}

// pragma handles the pragmas that the preprocessor comes by.
func (l *loader) pragma(toks []cc.Token) error {
	if len(toks) == 0 {
		return nil
	}
	args := make([]int, 0, 2)
	for _, t := range toks[1:] {
		n, err := strconv.Atoi(t.SrcStr())
		if err != nil {
			break
		}
		args = append(args, n)
	}
	arg := func(i, limit int) (int, bool) {
		return append(args, 0, 0)[i], i < len(args) && args[i] < limit
	}
	switch verb := toks[0].SrcStr(); verb {
	case pragmaEnter:
		r, ok1 := arg(0, len(l.requests))
		s, ok2 := arg(1, len(l.Files))
		if ok1 && ok2 {
			return l.enter(l.requests[r], s)
		}
	case pragmaLeave:
		if n := len(l.stack); n > 0 {
			l.stack = l.stack[:n-1]
		}
	case pragmaDiag:
		if id, ok := arg(0, len(l.diags)); ok {
			l.note(l.diags[id])
		}
	case pragmaDefine, pragmaUndef, pragmaRestore, pragmaBound:
		if len(toks) > 1 {
			return l.macroPragma(verb, toks[1].SrcStr())
		}
	case pragmaDirective:
		if id, ok := arg(0, len(l.directives)); ok && !l.seen[id] {
			l.seen[id] = true
			l.launches = append(l.launches, id)
		}
	case pragmaReject:
		if id, ok := arg(0, len(l.items)); ok {
			l.rejectSeen[id] = true
		}
	case pragmaLine:
		s, ok1 := arg(0, len(l.Files))
		m, ok2 := arg(1, 1<<30)
		if ok1 && ok2 && m < len(l.Files[s].Marks) {
			l.Files[s].Marks[m].Active = true
		}
	case "once":
		if s := l.sourceOf(toks[0].Position().Filename); s != nil {
			l.once[s.ID] = true
		}
	default:
		l.otherPragma(toks)
	}
	return nil
}

// enter starts an included file, or skips it.
func (l *loader) enter(r *includeRequest, id int) error {
	l.entered++
	switch {
	case l.failed != nil || l.once[id]:
		return cc.SkipSource
	case l.entered > maxIncludes:
		l.fail(diag.Errorf(r.from.LogicalPos(r.off), tokens.CodeLimit, "more than %d #include executed", maxIncludes))
		return cc.SkipSource
	case len(l.stack) >= maxDepth:
		e := diag.Errorf(r.from.LogicalPos(r.off), codeInclude, "#include nested more than %d deep", maxDepth)
		for _, outer := range l.stack {
			if outer == id {
				e = diag.Errorf(r.from.LogicalPos(r.off), codeInclude, "%s includes itself without end", l.Files[id].Name).
					WithNote("put #pragma once at the top of it")
				break
			}
		}
		l.fail(e)
		return cc.SkipSource
	}
	l.stack = append(l.stack, id)
	return nil
}

// sourceOf returns the source that cc knows under a name, or nil.
func (l *loader) sourceOf(name string) *source.File {
	rest, ok := strings.CutPrefix(name, namePrefixSource)
	id, err := strconv.Atoi(rest)
	if !ok || err != nil || id >= len(l.Files) {
		return nil
	}
	return l.Files[id]
}

// memFile is an open file in memory.
type memFile struct {
	*bytes.Reader
	name string
}

func (f *memFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *memFile) Close() error               { return nil }
func (f *memFile) Name() string               { return f.name }
func (f *memFile) Mode() fs.FileMode          { return 0o444 }
func (f *memFile) ModTime() time.Time         { return time.Time{} }
func (f *memFile) IsDir() bool                { return false }
func (f *memFile) Sys() any                   { return nil }

// preludeText is what stands before the loader's program.
func (l *loader) preludeText() string {
	if l.host {
		return prelude.HostMacros
	}
	return prelude.Text(l.cfg.Dialect, l.cfg.Architecture)
}

// preludeMacro is the value of an object-like macro that the prelude of CUDA or the GPU defines.
func (l *loader) preludeMacro(name string) ([]string, bool) {
	if words, ok := prelude.CUDAMacro(name); ok {
		return words, true
	}
	words, ok := l.gpuMacros[name]
	return words, ok
}

// isLibrary reports whether a position lies in text that stands for a library.
func (l *loader) isLibrary(p diag.Pos) bool {
	for _, s := range l.builtIns {
		if s.Name == p.File && p.IsValid() {
			return true
		}
	}
	return false
}
