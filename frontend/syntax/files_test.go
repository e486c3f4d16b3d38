package syntax

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gpupipe/frontend/preprocess"
	"gpupipe/internal/diag"
)

var folder = flag.String("folder", "", "parse the kernels below this folder, too, and report what does not parse")

// languageOf is what a file is written in, 0 for none.
func languageOf(name string) Language {
	switch filepath.Ext(name) {
	case ".cl":
		return OpenCL
	case ".cu", ".cuh", ".hip":
		return CUDA
	}
	return 0
}

// parsed is a file with all bodies parsed, and what does not parse in it.
func parsed(name, text string) (*File, diag.List) {
	r := preprocess.Run(preprocess.Config{File: name, Text: text,
		Library: func(string) (string, bool) { return "", true }})
	f := Parse(r.Tokens, Options{Language: languageOf(name), IsType: isBuiltinType})
	errs := diag.List{}
	visit(reflect.ValueOf(f), func(x any) {
		switch x := x.(type) {
		case *BadDecl:
			errs.Add(x.Err)
		case *Body:
			x.Parse()
			if x.Err != nil {
				errs.Add(x.Err)
			}
		}
	})
	return f, errs
}

// visit calls f for each pointer in a tree, before what it leads to.
func visit(v reflect.Value, f func(any)) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || !v.CanInterface() {
			return
		}
		f(v.Interface())
		visit(v.Elem(), f)
	case reflect.Interface:
		if !v.IsNil() {
			visit(v.Elem(), f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			visit(v.Index(i), f)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[diag.Error]() {
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				visit(v.Field(i), f)
			}
		}
	}
}

// isBuiltinType stands for the language's own types in tests.
func isBuiltinType(name string) bool {
	base := strings.TrimRight(name, "0123456789")
	switch base {
	case "uchar", "ushort", "uint", "ulong", "half", "size_t", "ptrdiff_t", "dim", "longlong", "ulonglong", "image",
		"event_t", "sampler_t", "cudaStream_t":
		return true
	case "char", "short", "int", "long", "float", "double":
		return base != name
	}
	return strings.HasPrefix(name, "image") && strings.HasSuffix(name, "_t") || strings.HasSuffix(name, "int8_t") ||
		strings.HasSuffix(name, "int16_t") || strings.HasSuffix(name, "int32_t") || strings.HasSuffix(name, "int64_t")
}

// TestFiles parses the kernels of the repository.
func TestFiles(t *testing.T) {
	var files []string
	for _, dir := range []string{"../../kernels", "../../testdata", *folder} {
		if dir == "" {
			continue
		}
		err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
			if err == nil && languageOf(name) != 0 && d.Type().IsRegular() {
				files = append(files, name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(files) < 20 {
		t.Fatalf("%d files", len(files))
	}
	bad := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, errs := parsed(name, string(text)); len(errs) > 0 {
			bad++
			t.Errorf("%v", errs)
		}
	}
	t.Logf("%d of %d files parse whole", len(files)-bad, len(files))
}
