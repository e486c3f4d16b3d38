package main

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/generate"
	"gpupipe/internal/tune"
)

// maxTableBytes bounds tables and caches.
const maxTableBytes = 256 << 20

// readSpace reads the parameters: those of --param, else of --space, else of --measured.
func (o *options) readSpace(src *generate.Source) (*tune.Space, error) {
	file := cmp.Or(o.space, o.measured)
	if len(o.params) > 0 || file == "" {
		return &tune.Space{Params: slices.Clone(o.params)}, nil
	}
	if o.space != "" {
		t, err := o.t1()
		if err != nil || t != nil {
			return t, err
		}
	}
	t, err := readTable(file)
	if err != nil {
		return nil, err
	}
	texts := slices.Concat(o.where, []string{o.local, o.grid, o.global, o.dynamicLocal, o.registers}, o.args, o.unrolls,
		o.templates)
	return t.Space(func(name string) bool {
		return tune.Mentions(src.Text, name) || slices.ContainsFunc(texts, func(text string) bool {
			return tune.Mentions(text, name)
		})
	})
}

// t1 reads --space if it is a T1 file; nil if it is something else.
func (o *options) t1() (*tune.Space, error) {
	data, err := console.ReadFile(o.space, maxTableBytes, "a space of more than %d MB is refused")
	if err != nil || !tune.IsT1(data) {
		return nil, err
	}
	t, err := tune.ReadT1(o.space, data)
	if err != nil {
		return nil, err
	}
	o.where = append(slices.Clone(t.Where), o.where...)
	o.local = cmp.Or(o.local, t.Local)
	if o.global == "" {
		o.grid = cmp.Or(o.grid, t.Grid)
	}
	o.kernel = cmp.Or(o.kernel, t.Kernel)
	return &tune.Space{Params: t.Params}, nil
}

// readTable reads a table by FILE or FILE:COLUMN.
func readTable(name string) (*tune.Table, error) {
	file, column := name, ""
	if i := strings.LastIndexByte(name, ':'); i > 0 && filepath.Ext(name[:i]) != "" {
		file, column = name[:i], name[i+1:]
	}
	data, err := console.ReadFile(file, maxTableBytes, "a table of more than %d MB is refused")
	if err != nil {
		return nil, err
	}
	return tune.ReadTable(file, data, column)
}
