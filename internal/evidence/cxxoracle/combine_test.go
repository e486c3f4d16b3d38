package cxxoracle

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

//go:embed snippets.txt
var snippetText string

//go:embed snippets.h
var snippetHead string

// snippet is a feature that composes: see snippets.txt.
type snippet struct {
	kind, name  string
	decls, text string
	holes       []hole
}

// hole is where a snippet takes another.
type hole struct {
	name  string // "i2"
	decl  bool   // it stands among declarations first
	alone bool   // it sees no variables but vars
	plain bool   // it takes no lambda
	vars  []string
}

// node is a use of a snippet. Its id makes its names its own.
type node struct {
	*snippet
	id      int
	literal string
	kids    []*node // by hole
}

var holeMark = regexp.MustCompile(`\$([a-zA-Z]\d*)(!?)(?:\{(@[^ {}]*|[a-z](?:,[^ {}]*)*)\})?`)

// snippets reads the table: by kind, the first of a kind is where a program ends.
func snippets() map[string][]*snippet {
	table := map[string][]*snippet{}
	_, text, _ := strings.Cut(snippetText, "\n[")
	for _, part := range strings.Split(text, "\n[") {
		head, body, _ := strings.Cut(part, "]\n")
		s := &snippet{}
		s.kind, s.name, _ = strings.Cut(head, " ")
		s.decls, s.text, _ = strings.Cut("\n"+strings.TrimSpace(body), "\n= ")
		for i, t := range []string{s.decls, s.text} {
			for _, m := range holeMark.FindAllStringSubmatch(t, -1) {
				if slices.ContainsFunc(s.holes, func(h hole) bool { return h.name == m[1] }) {
					continue
				}
				h := hole{name: m[1], decl: i == 0, alone: m[2] != ""}
				h.plain = plainMark(m[1]).MatchString(s.decls + s.text)
				if m[3] != "" {
					h.vars = strings.Split(m[3], ",")
				}
				s.holes = append(s.holes, h)
			}
		}
		table[s.kind] = append(table[s.kind], s)
	}
	return table
}

// plainMark finds a hole where a lambda must not stand.
func plainMark(name string) *regexp.Regexp {
	return regexp.MustCompile(`(decltype\(\(?|sizeof\(|noexcept\()\$` + name + `\b`)
}

// combiner makes random trees of snippets.
type combiner struct {
	rng   *rand.Rand
	table map[string][]*snippet
	ids   int
}

// deepest is how many snippets are nested at most, but for those that end.
const deepest = 3

// Combined is the tree of a seed.
func Combined(table map[string][]*snippet, seed int) *node {
	c := &combiner{rng: rand.New(rand.NewPCG(uint64(seed), 42)), table: table}
	return c.make("k", nil, 0, false)
}

func (c *combiner) make(kind string, vars []string, depth int, plain bool) *node {
	list := c.table[kind]
	s := list[0]
	plain = plain || strings.Contains("ctbmTC", kind)
	for depth <= deepest && len(list) > 1 {
		if s = list[c.rng.IntN(len(list))]; !plain || !lambda.MatchString(s.text) {
			break
		}
	}
	c.ids++
	n := &node{snippet: s, id: c.ids, literal: strconv.Itoa(c.rng.IntN(8))}
	if len(vars) > 0 && (kind == "l" || c.rng.IntN(2) == 0) {
		n.literal = vars[c.rng.IntN(len(vars))]
	}
	for _, h := range s.holes {
		var own []string
		if !h.decl && !h.alone {
			own = slices.Clone(vars)
		}
		for _, v := range h.vars {
			own = append(own, n.named(v))
		}
		if strings.Contains("ctbmTC", h.name[:1]) {
			own = nil
		}
		n.kids = append(n.kids, c.make(h.name[:1], own, depth+1, h.plain || plain && !h.decl))
	}
	return n
}

var lambda = regexp.MustCompile(`\[(&|=|@k = .*|)\] ?[({]`)

var nameMark = regexp.MustCompile(`@(\w+)`)

// named gives names their numbers.
func (n *node) named(text string) string {
	text = strings.ReplaceAll(text, "@@", n.literal)
	return nameMark.ReplaceAllString(text, "${1}_"+strconv.Itoa(n.id))
}

// render appends the declarations of a tree and returns its text.
func (n *node) render(decls *strings.Builder) string {
	texts := map[string]string{}
	for i, h := range n.holes {
		texts[h.name] = n.kids[i].render(decls)
	}
	fill := func(text string) string {
		text = holeMark.ReplaceAllStringFunc(strings.ReplaceAll(text, "#", n.literal), func(m string) string {
			return texts[holeMark.FindStringSubmatch(m)[1]]
		})
		return n.named(text)
	}
	if n.decls != "" {
		decls.WriteString(fill(n.decls) + "\n")
	}
	return fill(n.text)
}

// program is what a tree says.
func (n *node) program(name string) Program {
	var b strings.Builder
	text := n.render(&b)
	text = fmt.Sprintf("%snamespace %s {%s\n__global__ void kernel(int *out) {\n%s\n}\n}\n// launch: %[2]s::kernel\n",
		snippetHead, name, b.String(), text)
	return Program{Topic: "combined", Case: name, Text: text}
}

// simpler are the trees with one step less.
func (c *combiner) simpler(n *node) (list []*node) {
	if n.kind != "k" && n.snippet != c.table[n.kind][0] {
		end := &node{snippet: c.table[n.kind][0], id: n.id, literal: n.literal}
		c.complete(end)
		list = append(list, end)
		if n.kind == "s" {
			list = append(list, &node{snippet: &snippet{kind: "s", text: ";"}})
		}
	}
	for i, kid := range n.kids {
		if kid.kind == n.kind {
			list = append(list, kid)
		}
		for _, small := range c.simpler(kid) {
			m := *n
			m.kids = slices.Clone(n.kids)
			m.kids[i] = small
			list = append(list, &m)
		}
	}
	return list
}

// complete fills the holes of a snippet with those that end.
func (c *combiner) complete(n *node) {
	for j, h := range n.holes {
		c.ids++
		kid := &node{snippet: c.table[h.name[:1]][0], id: 1000*n.id + j, literal: "3"}
		c.complete(kid)
		n.kids = append(n.kids, kid)
	}
}

// alone is a program of one snippet: what takes its kind leads to the kernel.
func (c *combiner) alone(s *snippet) *node {
	c.ids++
	n := &node{snippet: s, id: c.ids, literal: "3"}
	c.complete(n)
	for n.kind != "k" {
		for _, kind := range []string{"k", "i", "t"} {
			if around := c.around(kind, n); around != nil {
				n = around
				break
			}
		}
	}
	return n
}

// around is a snippet of a kind that takes another, nil if none does.
func (c *combiner) around(kind string, n *node) *node {
	for _, s := range c.table[kind] {
		at := slices.IndexFunc(s.holes, func(h hole) bool { return h.name[:1] == n.kind })
		if at < 0 {
			continue
		}
		c.ids++
		around := &node{snippet: s, id: c.ids, literal: "3"}
		c.complete(around)
		around.kids[at] = n
		return around
	}
	return nil
}

// features are the names of the snippets of a tree that are not where it ends.
func (c *combiner) features(n *node) (list []string) {
	if n.kind != "k" && n.text != ";" && n.snippet != c.table[n.kind][0] {
		list = append(list, n.kind+" "+n.name)
	}
	for _, kid := range n.kids {
		list = append(list, c.features(kid)...)
	}
	return list
}

// size is how many snippets a tree has that are not where it ends.
func (c *combiner) size(n *node) int {
	size := 2
	if n.text == ";" {
		return 0
	} else if n.kind == "k" || n.snippet == c.table[n.kind][0] {
		size = 1
	}
	for _, kid := range n.kids {
		size += c.size(kid)
	}
	return size
}
