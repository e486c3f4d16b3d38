package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"gpupipe/frontend"
	"gpupipe/lower"
	"gpupipe/unroll"
)

func first(s string) string {
	for _, l := range strings.Split(s, "\n") {
		if strings.Contains(l, "error") {
			return l
		}
	}
	return s
}

func main() {
	root := os.Args[1]
	inc := strings.Split(os.Args[2], ",")
	ok, all := 0, 0
	good, bad := map[string]bool{}, map[string]bool{}
	for _, f := range os.Args[3:] {
		text, _ := os.ReadFile(filepath.Join(root, f))
		t := time.Now()
		done := make(chan bool)
		go func() {
			select {
			case <-done:
			case <-time.After(60 * time.Second):
				fmt.Println("HANG", f)
				os.Exit(1)
			}
		}()
		u, err := frontend.Parse(frontend.Config{File: f, Text: string(text), Dialect: frontend.CUDA, FS: os.DirFS(root), IncludePaths: inc})
		parse := time.Since(t)
		if err != nil {
			all++
			fmt.Printf("PARSE %s: %s\n", f, first(err.Error()))
			n := strings.Count(string(text), "__global__")
			for i := 0; i < max(n, 1); i++ {
				bad[fmt.Sprint(f, i)] = true
			}
			close(done)
			continue
		}
		for _, b := range u.Broken {
			all++
			bad[b.Pos.String()] = true
			fmt.Printf("BROKEN %s %s: %s\n", f, b.Name, first(b.Err.Error()))
		}
		for _, k := range u.Kernels {
			all++
			func() {
				defer func() {
					if x := recover(); x != nil {
						fmt.Printf("PANIC %s %s: %v\n%s", f, k.Name, x, debug.Stack())
					}
				}()
				bad[k.Pos.String()] = true
				lk, err := lower.Lower(u, k)
				if err != nil {
					fmt.Printf("LOWER %s %s: %s\n", f, k.Name, first(err.Error()))
					return
				}
				if err := lk.Verify(); err != nil {
					fmt.Printf("VERIFY %s %s: %s\n", f, k.Name, first(err.Error()))
					return
				}
				_, err = unroll.Resolve(lk, unroll.Options{Local: [3]int64{256}, Groups: [3]int64{1024}, Warps: unroll.FirstWarp, DynamicLocal: 32768})
				if err != nil {
					fmt.Printf("RESOLVE %s %s: %s\n", f, k.Name, first(err.Error()))
					return
				}
				ok++
				good[k.Pos.String()] = true
			}()
		}
		if time.Since(t) > 2*time.Second {
			fmt.Println("SLOW", f, parse, time.Since(t))
		}
		close(done)
	}
	for k := range good {
		delete(bad, k)
	}
	fmt.Printf("%d of %d; by position %d of %d\n", ok, all, len(good), len(good)+len(bad))
}
