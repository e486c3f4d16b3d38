package unroll_test

import (
	"fmt"
	"gpupipe/idg"
	"gpupipe/unroll"
	"os"
	"strings"
	"testing"
)

var _ = unroll.O0

func TestZZ(t *testing.T) {
	if os.Getenv("K") == "" {
		t.Skip()
	}
	text, _ := os.ReadFile(os.Getenv("K"))
	k := lowerKernel(t, string(text))
	if os.Getenv("IR") != "" {
		fmt.Println(k)
	}
	for _, o := range strings.Split(os.Getenv("O"), ";") {
		r := resolve(t, k, parseOptions(t, o))
		idg.WriteText(os.Stdout, r.Graph)
		for _, w := range r.Warnings {
			fmt.Println(w)
		}
	}
}
