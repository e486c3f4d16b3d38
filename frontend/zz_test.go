package frontend

import (
	"math/rand"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestZZMutate(t *testing.T) {
	var seeds []string
	for _, g := range []string{"testdata/typed/cuda*.txtar", "../lower/testdata/cuda*.txtar", "/tmp/cuw/*.cu"} {
		fs, _ := filepath.Glob(g)
		for _, f := range fs {
			b, _ := os.ReadFile(f)
			seeds = append(seeds, string(b))
		}
	}
	r := rand.New(rand.NewSource(time.Now().UnixNano()))
	end := time.Now().Add(25 * time.Second)
	n := 0
	cur := ""
	defer func() {
		if x := recover(); x != nil {
			os.WriteFile("/tmp/cuw/crash.txt", []byte(cur), 0o644)
			panic(x)
		}
	}()
	for time.Now().Before(end) {
		s := seeds[r.Intn(len(seeds))]
		l, _, err := lex(s, CUDA)
		if err != nil {
			continue
		}
		var out []byte
		for i := range l.toks {
			switch r.Intn(60) {
			case 0:
				continue
			case 1:
				out = append(out, l.at(r.Intn(len(l.toks)))...)
			case 2:
				out = append(out, l.at(i)...)
				out = append(out, ' ')
			}
			out = append(out, l.at(i)...)
			out = append(out, ' ')
			if r.Intn(3000) == 0 {
				break
			}
		}
		cur = string(out)
		st := time.Now()
		_, _ = Parse(Config{File: "k.cu", Text: cur, Dialect: CUDA})
		if d := time.Since(st); d > 2*time.Second {
			os.WriteFile("/tmp/cuw/slow.txt", []byte(cur), 0o644)
			t.Errorf("slow %v", d)
		}
		n++
	}
	t.Log(n)
}
