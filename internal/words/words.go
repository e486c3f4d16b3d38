// Package words says texts in the words of who reads them: those of the kernel's language and of the GPU's vendor.
//
// Texts of this project have OpenCL's words, and NVIDIA's for what OpenCL has none for (warp). The table below is the
// only place that has the others (CUDA C++ Programming Guide; HIP documentation; AMD's instruction set architectures).
// Names of options, of operations and of the source stay what they are.
package words

import (
	"regexp"
	"strings"
)

// Words are those of a reader. The zero value is this project's own.
type Words struct{ of map[string]string }

// For is how a reader of a language ("cuda", "hip", "opencl"; as graphs name it) calls what a GPU has.
func For(dialect string, amd bool) Words {
	switch w := (Words{}); {
	case dialect == "opencl" && amd:
		return Words{ofAMD}
	case dialect == "opencl" || dialect == "":
		return w
	case amd:
		return Words{ofHIP}
	}
	return Words{ofCUDA}
}

// By the singular; the plural has an s, or stands in the table. What names a word with its article is longer, and found
// first.
var (
	ofAMD  = map[string]string{"warp": "wavefront"}
	ofCUDA = map[string]string{"work item": "thread", "work group": "block", "group": "block",
		"local memory": "shared memory", "local array": "shared array", "private memory": "local memory",
		"private array": "local array", "a compute unit": "an SM", "compute unit": "SM"}
	ofHIP = map[string]string{"work item": "thread", "work group": "block", "group": "block", "local memory": "LDS",
		"local array": "LDS array", "private memory": "scratch memory", "private array": "scratch array",
		"warp": "wavefront"}
)

// phrase finds what may be said otherwise, and in front of that what may not: options, names with a dot, an
// underscore, a colon or a slash, quotations, and groups of another kind.
var phrase = regexp.MustCompile(`--?\w[\w-]*|'[^' ]*'|"[^"]*"|\w*[._:/]\w[\w._:/]*|(?i:warp groups?|sub-groups?)|` +
	`\b(?i:(work items?|work groups?|groups?|local memory|local arrays?|private memory|private arrays?|` +
	`a compute unit\b|compute units?|warps?))\b`)

// Say is a text in the reader's words.
func (w Words) Say(text string) string {
	if w.of == nil {
		return text
	}
	var b strings.Builder
	end := 0
	for _, m := range phrase.FindAllStringSubmatchIndex(text, -1) {
		if m[2] < 0 {
			continue
		}
		b.WriteString(text[end:m[2]])
		b.WriteString(w.word(text[m[2]:m[3]]))
		end = m[3]
	}
	return b.String() + text[end:]
}

// word is one of the table, its plural, or with a capital.
func (w Words) word(own string) string {
	lower := strings.ToLower(own)
	said, ok := w.of[lower]
	if !ok {
		singular := strings.TrimSuffix(lower, "s")
		if said, ok = w.of[singular]; !ok {
			return own
		}
		said += lower[len(singular):]
	}
	if own[:1] != lower[:1] {
		said = strings.ToUpper(said[:1]) + said[1:]
	}
	return said
}
