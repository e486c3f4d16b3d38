package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestSourceIsText: a file of bytes is one error, not one for each line.
func TestSourceIsText(t *testing.T) {
	var out, errs bytes.Buffer
	status := run([]string{"-"}, strings.NewReader("\x7fELF\x02\x00\x00\"\n'\n"), &out, &errs)
	want := "<stdin>: error[FILE]: this is not text: it has bytes of zero\n\tidgen reads the source of a kernel, " +
		"OpenCL C or CUDA\n"
	if status != 3 || out.Len() > 0 || errs.String() != want {
		t.Errorf("status %d, %q on standard output, %q", status, out.String(), errs.String())
	}
}
