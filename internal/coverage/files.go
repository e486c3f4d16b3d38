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
