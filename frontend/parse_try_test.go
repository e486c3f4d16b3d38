package frontend

import (
	"fmt"
	"os"
	"testing"
)

func TestTry(t *testing.T) {
	b, _ := os.ReadFile(os.Getenv("TRY"))
	d := OpenCL
	if os.Getenv("CU") != "" {
		d = CUDA
	}
	cfg := &Config{File: "k.cl", Text: string(b), Dialect: d}
	if os.Getenv("SHOW") != "" {
		l := newLoader(cfg)
		c, _ := l.commandLine()
		_ = c
		l.main, _ = l.add("k.cl", "", string(b))
		for _, s := range l.sources {
			fmt.Println(s.out)
		}
		for _, it := range l.items {
			fmt.Println(it.id, it.name, it.kernel, it.function, it.err)
		}
	}
	p, err := parse(cfg)
	fmt.Println("ERR", err)
	if p != nil {
		fmt.Println(p.warnings)
		for _, x := range p.directives {
			fmt.Println(x.pos, len(x.fields), x.kernel.Declarator.Name())
		}
		for _, r := range p.rejected {
			fmt.Println("REJ", r.name, r.pos, r.err)
		}
		for _, s := range p.l.sources {
			fmt.Println("----", s.name)
			fmt.Println(s.out)
		}
	}
}
