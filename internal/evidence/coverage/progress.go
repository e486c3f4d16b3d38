package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
)

// progress is a bar on a terminal, and nothing elsewhere.
type progress struct {
	mu    sync.Mutex
	out   io.Writer // nil: no terminal
	done  int
	total int
}

func newProgress(w io.Writer, total int) *progress {
	p := &progress{total: total}
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			p.out = w
		}
	}
	return p
}

// width is that of the bar, in characters.
const width = 40

func (p *progress) step() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if p.out != nil {
		full := p.done * width / p.total
		fmt.Fprintf(p.out, "\r[%s%s] %d of %d files", strings.Repeat("#", full), strings.Repeat(".", width-full),
			p.done, p.total)
	}
}

func (p *progress) end() {
	if p.out != nil {
		fmt.Fprint(p.out, "\r\x1b[K") // clears the line
	}
}
