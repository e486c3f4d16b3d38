package main

import (
	"strconv"
	"strings"
)

// words is how many words of 32 bits a memory access or a vector operation has, from its suffixes: LDG.E.128,
// ld.global.v4.f32.
func (o *op) words() int {
	for part := range strings.SplitSeq(o.name, ".") {
		switch part {
		case "64":
			return 2
		case "128":
			return 4
		}
	}
	return 1
}

// lanes is how many elements PTX's vector suffix says.
func (o *op) lanes() int {
	for part := range strings.SplitSeq(o.name, ".") {
		if n, err := strconv.Atoi(strings.TrimPrefix(part, "v")); err == nil && strings.HasPrefix(part, "v") {
			return n
		}
	}
	return 1
}
