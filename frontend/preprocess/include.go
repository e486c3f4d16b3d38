package preprocess

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"gpupipe/internal/diag"
	"gpupipe/internal/spelling"
)

// include reads a file. Its name is looked for beside the including file, which is at from, unless it is in <>: then
// what stands for a library's header comes first, unless the program reads a header of that library.
func (p *Preprocessor) include(name string, at diag.Pos, from string, system bool) {
	candidates := p.candidates(name, from, system)
	if text, ok := p.library(name); ok && (system && text != "" && !p.readsLibrary(name) || !p.readable(candidates)) {
		if text != "" && !p.once["<"+name+">"] {
			p.once["<"+name+">"] = true
			if p.readable(candidates) {
				p.out.Warnings.Add(diag.Notef(at, "INCLUDE", "<%s> is not read: the declarations built in are used",
					name).
					WithNote("write \"%s\" to read the file", name))
			}
			p.file("<"+name+">", "", text)
		}
		return
	}
	p.opened++
	switch {
	case len(p.stack) >= p.limits.Depth:
		p.fail(at, "INCLUDE", "files include each other: %q is the %dth in a row", name, len(p.stack))
		p.stopped = true
		return
	case p.opened > p.limits.Files:
		p.fail(at, "INCLUDE", "more than %d files are included", p.limits.Files)
		p.stopped = true
		return
	}
	var unusable []string
	for _, candidate := range candidates {
		text, err := p.read(candidate)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid) {
				unusable = append(unusable, fmt.Sprintf("%s: %v", candidate, err))
			}
			continue
		}
		if folder, _, ok := strings.Cut(name, "/"); ok {
			p.libraries[folder] = true
		}
		if !p.once[candidate] && !p.onceFiles[File{path.Base(candidate), text}] {
			p.file(candidate, candidate, p.inside(candidate, text))
		}
		return
	}
	switch {
	case p.missing[name]:
		return
	case system:
		p.missing[name] = true
		p.out.Warnings.Add(diag.Notef(at, "INCLUDE", "system header <%s> is taken as empty", name))
		return
	case p.cfg.Lenient && len(unusable) == 0:
		p.missing[name] = true
		w := diag.Warningf(at, "INCLUDE", "cannot find %q: taken as empty", name)
		if p.cfg.FS != nil {
			w.WithNote("add its directory with -I DIR if kernels need it")
		}
		p.out.Warnings.Add(w)
		return
	case len(unusable) > 0:
		p.fail(at, "INCLUDE", "cannot read %q: %s", name, unusable[0])
		return
	}
	e := p.fail(at, "INCLUDE", "cannot find %q", name)
	if p.cfg.FS == nil {
		e.WithNote("no file can be included here")
		return
	}
	if near := spelling.DidYouMean(path.Base(name), p.beside(from)); near != "" {
		e.WithNote("%s", near)
	}
	e.WithNote("add its directory with -I DIR")
}

// readsLibrary reports whether the program reads a library's headers: one whose name begins with the same folder.
func (p *Preprocessor) readsLibrary(name string) bool {
	folder, _, _ := strings.Cut(name, "/")
	return p.libraries[folder]
}

// read reads a file whole, but no more of it than tells that the program is too large.
func (p *Preprocessor) read(at string) (string, error) {
	f, err := p.cfg.FS.Open(at)
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
	b, err := io.ReadAll(io.LimitReader(f, int64(p.limits.Bytes)+1))
	if err != nil {
		return "", errors.New(withoutName(err).Error()) // its name is good
	}
	return string(b), nil
}

// withoutName is an error of a file without its name and the operation.
func withoutName(err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

func (p *Preprocessor) library(name string) (string, bool) {
	if p.cfg.Library == nil {
		return "", false
	}
	return p.cfg.Library(name)
}

// candidates are the paths at which a header may be.
func (p *Preprocessor) candidates(name, from string, system bool) (out []string) {
	switch {
	case p.cfg.FS == nil:
		return nil
	case path.IsAbs(name):
		return []string{path.Clean(name)}
	case !system:
		out = append(out, path.Join(path.Dir(from), name))
	}
	for _, dir := range p.cfg.IncludePaths {
		out = append(out, path.Join(dir, name))
	}
	return out
}

func (p *Preprocessor) readable(candidates []string) bool {
	return slices.ContainsFunc(candidates, func(at string) bool {
		info, err := fs.Stat(p.cfg.FS, at)
		return err == nil && info.Mode().IsRegular()
	})
}

// beside are the files of a file's directory.
func (p *Preprocessor) beside(from string) (names []string) {
	entries, _ := fs.ReadDir(p.cfg.FS, path.Dir(from))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
