package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// findFiles lists the kernel files below the paths, sorted, without those that
// are excluded, thinned out by --every.
func findFiles(o *options) ([]string, error) {
	var files []string
	if o.database != "" {
		compiled, flags, err := readDatabase(o.database)
		if err != nil {
			return nil, err
		}
		o.flags = flags
		files, err = below(compiled, o.paths)
		if err != nil {
			return nil, err
		}
		return thinned(o, files)
	}
	for _, p := range o.paths {
		info, err := os.Stat(p)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			files = append(files, p)
			continue
		}
		err = filepath.WalkDir(p, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && isSource(path) {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return thinned(o, files)
}

// below keeps the files, absolute paths, that one of the paths is or holds; all without paths.
func below(files, paths []string) (kept []string, err error) {
	if len(paths) == 0 {
		return files, nil
	}
	for _, p := range paths {
		abs, err := filepath.Abs(p)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if f == abs || strings.HasPrefix(f, abs+string(filepath.Separator)) {
				kept = append(kept, f)
			}
		}
	}
	return kept, nil
}

// thinned sorts files and leaves out what the options say.
func thinned(o *options, files []string) ([]string, error) {
	slices.Sort(files)
	files = slices.Compact(files)
	var kept []string
	for _, f := range files {
		skip, err := excluded(o, f)
		if err != nil {
			return nil, err
		}
		if !skip {
			kept = append(kept, f)
		}
	}
	var taken []string
	for i := 0; i < len(kept); i += o.every {
		taken = append(taken, kept[i])
	}
	if len(taken) == 0 {
		return nil, fmt.Errorf("no .cl or .cu file in %s", strings.Join(o.paths, ", "))
	}
	return taken, nil
}

func excluded(o *options, file string) (bool, error) {
	for _, pattern := range o.exclude {
		ok, err := filepath.Match(pattern, filepath.Base(file))
		if err != nil {
			return false, fmt.Errorf("--exclude %s: %w", pattern, err)
		}
		if ok {
			return true, nil
		}
	}
	return false, nil
}

// isSource reports whether a file is one of the two languages, by its name.
func isSource(path string) bool {
	ext := filepath.Ext(path)
	return ext == ".cl" || ext == ".cu"
}
