package main

import (
	"cmp"
	"errors"
	"strings"

	"github.com/spf13/pflag"
)

// compilerFlags are what compilers and the language call what idgen's flags say, by how they begin, and what does the
// same here.
var compilerFlags = []struct{ begins, instead string }{
	{"arch", "--gpu NAME says which GPU the code is for; pipesim gpus lists them"},
	{"gencode", "--gpu NAME says which GPU the code is for; pipesim gpus lists them"},
	{"gpu-architecture", "--gpu NAME says which GPU the code is for; pipesim gpus lists them"},
	{"offload-arch", "--gpu NAME says which GPU the code is for; pipesim gpus lists them"},
	{"maxrregcount", "--registers N gives the registers of a work item"},
	{"use_fast_math", "--fast-math does that"},
	{"cl-fast-relaxed-math", "--fast-math does that"},
	{"ffast-math", "--fast-math does that"},
	{"cl-std", "leave it out: what is supported of the language does not depend on its version"},
	{"blocks", "--groups SIZES gives the number of groups (blocks)"},
	{"block", "--local SIZES gives the work items (threads) of a group (block)"},
	{"threads", "--local SIZES gives the work items (threads) of a group (block)"},
	{"grid", "--groups SIZES gives the number of groups (blocks)"},
	{"shared", "--dynamic-local BYTES gives the local (shared) memory that the launch adds"},
	{"std", "leave it out: what is supported of the language does not depend on its version"},
}

// compilerFlag says what does here what an unknown flag does in a compiler or a launch; empty if it does nothing there,
// or the error is another.
func compilerFlag(err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return ""
	}
	// -arch=sm_80 is read as -a -r ...
	text := cmp.Or(unknown.GetSpecifiedShortnames(), unknown.GetSpecifiedName())
	for _, f := range compilerFlags {
		if strings.HasPrefix(text, f.begins) {
			return f.instead
		}
	}
	return ""
}
