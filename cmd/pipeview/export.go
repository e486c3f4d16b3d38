package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/diag"
	"gpupipe/internal/view"
)

// evaluator is the package that makes predictions in a worker.
const evaluator = "gpupipe/cmd/pipeview/wasm"

// export writes the static site to a folder, which is made if there is none. Files of the site that are
// there are replaced, others are left alone.
func export(ctx context.Context, c *console.Console, dir string) error {
	assets, err := siteAssets("engine_worker.js", []view.Source{})
	if err != nil {
		return err
	}
	code, loader, err := compile(ctx)
	if err != nil {
		return err
	}
	thread, err := embedded.ReadFile("assets/engine_thread.js")
	if err != nil {
		return err
	}
	script, err := json.Marshal(map[string]any{"worker": string(loader) + string(thread), "code": code}) // in base64
	if err != nil {
		return err
	}
	assets["/pipeview.js"] = asset{content: fmt.Appendf(nil, "pipeviewCode(%s);\n", script)}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return console.OutputError(dir, err)
	}
	for _, name := range sortedNames(assets) {
		err := c.Emit(filepath.Join(dir, name), func(w io.Writer) error {
			_, err := console.Raw(w).Write(assets[name].content)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func sortedNames(assets map[string]asset) []string {
	var names []string
	for name := range assets {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// compile makes the evaluator with the Go command: its code, compressed, and what JavaScript needs to run it. A
// browser decompresses the code itself, so that no web server has to be told to.
func compile(ctx context.Context) (code, loader []byte, err error) {
	root, err := goCommand(ctx, nil, "env", "GOROOT")
	if err != nil {
		return nil, nil, err
	}
	if loader, err = os.ReadFile(filepath.Join(strings.TrimSpace(root), "lib", "wasm", "wasm_exec.js")); err != nil {
		return nil, nil, console.FileError(evaluator, err)
	}
	scratch, err := os.MkdirTemp("", "pipeview")
	if err != nil {
		return nil, nil, console.OutputError(os.TempDir(), err)
	}
	defer os.RemoveAll(scratch)
	built := filepath.Join(scratch, "pipeview.wasm")
	if _, err := goCommand(ctx, []string{"GOOS=js", "GOARCH=wasm"}, "build", "-trimpath", "-ldflags", "-s -w", "-o",
		built, evaluator); err != nil {
		return nil, nil, err
	}
	plain, err := os.ReadFile(built)
	if err != nil {
		return nil, nil, console.FileError(built, err)
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, nil, err
	}
	if _, err := w.Write(plain); err != nil {
		return nil, nil, err
	}
	err = w.Close()
	return packed.Bytes(), loader, err
}

// goCommand runs the Go command and returns what it prints.
func goCommand(ctx context.Context, environment []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), environment...)
	cmd.Dir = checkout()
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err == nil {
		return string(out), nil
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	e := diag.Errorf(diag.Pos{}, "EXPORT", "the evaluation cannot be compiled: go %s: %v", args[0], err)
	if errors.Is(err, exec.ErrNotFound) {
		return "", e.WithNote("the Go command must be installed: https://go.dev/doc/install")
	}
	e.WithNote("%s", strings.TrimSpace(errs.String()))
	if cmd.Dir == "" {
		e.WithNote("the source that pipeview was installed from is not there: run pipeview export in a checkout of " +
			"the repository")
	}
	return "", e
}

// checkout is the folder of this package's source, which the program was built from; empty if it is not there, or
// the build did not record it (go build -trimpath).
func checkout() string {
	_, file, _, _ := runtime.Caller(0)
	if _, err := os.Stat(file); err != nil || !filepath.IsAbs(file) {
		return ""
	}
	return filepath.Dir(file)
}
