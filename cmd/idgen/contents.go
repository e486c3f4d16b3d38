package main

import (
	"errors"
	"slices"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/diag"
	"gpupipe/internal/spelling"
	"gpupipe/lower"
)

// maxContentBytes bounds the contents of a buffer: those of which subscripts are
// computed are tables.
const maxContentBytes = 64 << 20

// content is a --contents: the file that a buffer is filled from.
type content struct{ name, file string }

// parseContent reads "shifts=shifts.bin".
func parseContent(text string) (content, error) {
	name, file, ok := strings.Cut(text, "=")
	if !ok || name == "" || file == "" {
		return content{}, errors.New("write NAME=FILE")
	}
	return content{name, file}, nil
}

// bufferContents reads the files of --contents.
func bufferContents(o *options, k *lower.Kernel) (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, c := range o.contents {
		var names []string
		for _, p := range k.Params {
			if p.Type == lower.Ptr {
				names = append(names, p.Name)
			}
		}
		if !slices.Contains(names, c.name) {
			e := diag.Errorf(k.Pos, codeArgument, "--contents %s: kernel %s has no such buffer", c.name, k.Name)
			if hint := spelling.Known("buffers", c.name, names); hint != "" {
				e = e.WithNote("%s", hint)
			}
			return nil, e
		}
		data, err := console.ReadFile(c.file, maxContentBytes, "contents of more than %d MB are refused")
		if err != nil {
			return nil, err
		}
		out[c.name] = data
	}
	return out, nil
}
