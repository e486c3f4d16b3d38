package kernels_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpupipe/kernels"
)

var update = flag.Bool("update", false, "rewrite the table in docs/reference/kernels.md")

const (
	tableStart = "<!-- table: go test ./kernels -update -->\n"
	tableEnd   = "<!-- end of table -->\n"
)

// TestDocsTable compares the table in docs/reference/kernels.md with List.
func TestDocsTable(t *testing.T) {
	path := filepath.Join("..", "docs", "reference", "kernels.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, started := strings.Cut(string(page), tableStart)
	table, after, ended := strings.Cut(rest, tableEnd)
	if !started || !ended {
		t.Fatalf("%s has no lines %q and %q", path, tableStart, tableEnd)
	}
	want := docsTable(kernels.List())
	if *update {
		if err := os.WriteFile(path, []byte(before+tableStart+want+tableEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, table); diff != "" {
		t.Errorf("docs/reference/kernels.md is out of date, run go test ./kernels -update (-want +page):\n%s", diff)
	}
}

// TestDocsExplainGoldenNumbers looks for each number in the page's list.
func TestDocsExplainGoldenNumbers(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "reference", "kernels.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range goldenNumbers {
		if !strings.Contains(string(page), fmt.Sprintf("\n- **%d** ", n)) {
			t.Errorf("golden number %d is not explained", n)
		}
	}
}

// docsTable returns the kernels as a Markdown table.
func docsTable(list []kernels.Kernel) string {
	var b strings.Builder
	b.WriteString("| name | file | purpose | launch | golden |\n|---|---|---|---|---|\n")
	for _, k := range list {
		file := k.File
		for _, d := range k.Defines {
			file += " `-D " + d + "`"
		}
		var golden []string
		for _, n := range k.Golden {
			golden = append(golden, fmt.Sprint(n))
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | `%s` | %s |\n", k.Name, file,
			strings.NewReplacer("|", `\|`, "*", `\*`).Replace(k.Summary),
			strings.ReplaceAll(k.Launch, "|", `\|`), strings.Join(golden, ", "))
	}
	return b.String()
}
