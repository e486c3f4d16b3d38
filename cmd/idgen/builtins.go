package main

import (
	"bufio"
	"fmt"
	"io"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/sheet"
	"gpupipe/kernels"
)

// builtinEntry is a built-in kernel in the JSON form of --list-builtins.
type builtinEntry struct {
	Name     string   `json:"name"`
	Summary  string   `json:"summary"`
	Dialect  string   `json:"dialect"`
	File     string   `json:"file"`
	Function string   `json:"function"`
	Defines  []string `json:"defines"`
	Launch   string   `json:"launch"`
	Source   string   `json:"source,omitempty"`
}

// writeBuiltins lists the built-in kernels, sorted by name.
func writeBuiltins(w io.Writer, f format) error {
	list := kernels.List()
	if f == formatJSON {
		entries := make([]builtinEntry, len(list))
		for i, k := range list {
			entries[i] = builtinEntry{k.Name, k.Summary, k.Dialect.String(), k.File, k.Function,
				append([]string{}, k.Defines...), k.Launch, k.Source}
		}
		return console.WriteJSON(w, entries)
	}
	width := 0
	for _, k := range list {
		width = max(width, len(k.Name))
	}
	b := bufio.NewWriter(w)
	for _, k := range list {
		name := k.Name
		for _, line := range sheet.Wrap(k.Summary, listColumns-width-2) {
			fmt.Fprintf(b, "%-*s  %s\n", width, name, line)
			name = ""
		}
	}
	return b.Flush()
}
