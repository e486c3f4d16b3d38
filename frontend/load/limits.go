package load

import (
	"bytes"
	"fmt"
	"runtime/metrics"
	"time"

	"gpupipe/frontend/tokens"
)

// What a source may ask of the parser. cc is a recursive descent parser and a
// macro processor without limits of their own: hostile or broken input makes it
// overflow the stack, which ends the process, or run without end, which no
// recover stops. So its input is bounded before it sees it, first as written
// (size; brackets and #if by package tokens), then as expanded (tokens, nesting), and a watchdog
// bounds the time and memory of the rest (in rewrite_macro.go, macros are
// bounded before they are expanded).
//
// A call that the watchdog gives up on returns an error at once, but its
// goroutine cannot be stopped: it goes on until it ends by itself or the
// process does. Where goroutines are not preempted (GOARCH=wasm) the watchdog
// only sees what has ended; the bounds before it hold everywhere.
const (
	maxChain     = 10_000      // operators, casts, labels and else-ifs that nest without brackets
	maxBytes     = 16 << 20    // of all files together
	maxFiles     = 2000        // different files
	maxDepth     = 200         // nested #include, as in gcc
	maxIncludes  = 100_000     // #include executed
	freeTokens   = 1_500_000   // after expansion, and four for each one written
	maxExpansion = 500_000     // tokens of one macro call
	maxParseTime = time.Minute // of one call, all attempts together; the largest known kernels take 10 s of an idle machine
	maxHeap      = 3 << 30     // bytes that parsing may add to the heap
	maxMacroHeap = 768 << 20   // of them, expanding macros; MaxTokens of them written out take 460 MB
)

// Codes of the diagnostics that parsing gives.
const (
	codeInclude   = "INCLUDE"   // a file that cannot be included
	codeDirective = "DIRECTIVE" // a malformed "// idgen:" comment
	CodeInternal  = "INTERNAL"  // a failure of the parser itself
	codeEmbedded  = "EMBEDDED"  // source in the strings of a program
	codeDropped   = "DROPPED"   // a declaration or function left out
	codeDefine    = "DEFINE"    // a -D without effect
	CodePragma    = "PRAGMA"    // an unroll request without effect
	// CodeUnsupported: a construct that cannot be analysed (yet).
	CodeUnsupported = "UNSUPPORTED"
)

// gauge measures the preprocessed tokens that are written to it, one a call,
// and fails when they are too many or would nest too deeply for a recursive
// parser and the recursive passes over its tree. chain bounds the depth of the
// tree: it grows with every token that may start a nested construct, falls
// back to the bracket's at a comma between brackets, and to the block's at the
// end of a statement that no else continues.
type gauge struct {
	limit  int // of tokens
	tokens int
	chain  int
	stack  []gaugeLevel
	ended  bool // a statement may have ended before this token
	init   bool // the last token makes a following { an initialiser
}

type gaugeLevel struct {
	chain int
	open  byte // ( [ {, or = for the { of an initialiser
}

func (g *gauge) base() gaugeLevel {
	if n := len(g.stack); n > 0 {
		return g.stack[n-1]
	}
	return gaugeLevel{}
}

// Write takes one token.
func (g *gauge) Write(p []byte) (int, error) {
	if len(p) == 0 || p[0] == ' ' || p[0] == '\n' {
		return len(p), nil
	}
	if g.tokens++; g.tokens > g.limit {
		return 0, tokens.Limitf("the program has more than %d tokens when its macros are expanded", g.limit)
	}
	if g.ended {
		g.ended = false
		if !bytes.Equal(p, []byte("else")) && !bytes.Equal(p, []byte("while")) {
			g.chain = g.base().chain
		}
	}
	init := g.init
	g.init = false
	switch c := p[0]; c {
	case '(', '[', '{':
		if c == '{' && init {
			c = '='
			g.init = true
		}
		g.stack = append(g.stack, gaugeLevel{g.chain, c})
		g.chain++
	case ')', ']', '}':
		g.chain = g.base().chain
		if n := len(g.stack); n > 0 {
			g.stack = g.stack[:n-1]
		}
		if c == '}' {
			g.ended = true
		} else {
			g.chain++
		}
	case ';':
		g.ended = g.base().open != '('
	case ',':
		if o := g.base().open; o == '(' || o == '[' || o == '=' {
			g.chain = g.base().chain + 1
		}
		g.init = g.base().open == '='
	case '"', '\'':
	default:
		switch {
		case !tokens.IsIdentByte(c) && c < 0x80:
			g.chain++
			g.init = len(p) == 1 && c == '='
		case len(p) <= 7 && nests(p):
			g.chain++
		}
	}
	switch {
	case len(g.stack) > tokens.MaxBrackets:
		return 0, tokens.Limitf("brackets nested more than %d deep when macros are expanded", tokens.MaxBrackets)
	case g.chain > maxChain:
		return 0, tokens.Limitf("more than %d operators, labels or else-ifs nested in one statement", maxChain).
			WithNote("split the statement; a chain of else-ifs can become a switch or a table")
	}
	return len(p), nil
}

// nests reports whether a keyword may be followed by a nested statement or
// operand.
func nests(p []byte) bool {
	switch string(p) {
	case "if", "else", "for", "while", "do", "switch", "case", "default", "sizeof":
		return true
	}
	return false
}

// guarded runs f, which calls cc, and returns what it returns, unless it panics
// or takes longer than until deadline or more memory than heap. In the
// latter cases the caller must not touch anything that f uses any more.
func guarded[T any](deadline time.Time, heap uint64, f func() T) (result T, failure error) {
	type outcome struct {
		result T
		panic  any
	}
	done := make(chan outcome, 1)
	before := heapBytes()
	go func() {
		var o outcome
		defer func() {
			o.panic = recover()
			done <- o
		}()
		o.result = f()
	}()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case o := <-done:
			if o.panic != nil {
				return result, panicked{o.panic}
			}
			return o.result, nil
		case now := <-tick.C:
			if now.After(deadline) {
				return result, tokens.Limitf("parsing takes longer than %v", maxParseTime)
			}
			if h := heapBytes(); h > before && h-before > heap {
				return result, tokens.Limitf("parsing takes more than %d MB of memory", heap>>20)
			}
		}
	}
}

// panicked is a panic of the parser.
type panicked struct{ value any }

func (p panicked) Error() string { return fmt.Sprint(p.value) }

// heapBytes is the size of the live and not yet collected heap objects.
func heapBytes() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return s[0].Value.Uint64()
}
