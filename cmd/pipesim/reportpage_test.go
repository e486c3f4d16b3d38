package main

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gpupipe/internal/report"
)

// TestReportPage holds that docs/guide/report.md explains every column and every field of the
// formats for scripts.
func TestReportPage(t *testing.T) {
	text, err := os.ReadFile("../../docs/guide/report.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]string{}
	for _, s := range strings.Split(string(text), "\n## ")[1:] {
		title, body, _ := strings.Cut(s, "\n")
		sections[title] = body
	}
	word := regexp.MustCompile(`[a-z_]+`)
	explained := func(section string, names []string) {
		t.Helper()
		body, ok := sections[section]
		if !ok {
			t.Fatalf("docs/guide/report.md has no section %q", section)
		}
		var first []string // columns of the tables
		for _, line := range strings.Split(body, "\n") {
			if cells := strings.Split(line, "|"); len(cells) > 2 {
				first = append(first, word.FindAllString(cells[1], -1)...)
			}
		}
		for _, name := range names {
			if !slices.Contains(first, name) {
				t.Errorf("docs/guide/report.md, %s: %s is not explained", section, name)
			}
		}
	}

	graph := graphFile(t, t.TempDir(), "graph.json", "--builtin", "fig1")
	header, _, _ := strings.Cut(pipesim(t, nil, graph, "--format", "csv"), "\n")
	columns := slices.DeleteFunc(strings.Split(header, ","), func(c string) bool {
		return strings.HasPrefix(c, "utilization_")
	})
	explained("Columns of `pipesim --format csv`", columns)

	var fields []string
	for d, i := reflect.TypeFor[report.Document](), 0; i < d.NumField(); i++ {
		name, _, _ := strings.Cut(d.Field(i).Tag.Get("json"), ",")
		fields = append(fields, name)
	}
	explained("Fields of `pipesim --format json`", fields)

	header, _, _ = strings.Cut(sweepOf(t, graph, "--concurrent", "1"), "\n")
	explained("Columns of `pipesim sweep`", strings.Split(header, ","))

	measured := filepath.Join(t.TempDir(), "measured.csv")
	if err := os.WriteFile(measured, []byte("groups,us\n1,9\n2,5\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for command, args := range map[string][]string{"models": nil, "compare": {"--measured", measured},
		"occupancy": {"--groups", "2"}} {
		header, _, _ = strings.Cut(pipesim(t, nil, append([]string{command, graph, "--format", "csv"}, args...)...),
			"\n")
		if row := "| " + command + " | " + strings.ReplaceAll(header, ",",
			", "); !strings.Contains(strings.ReplaceAll(string(text), " (why there are no numbers)", ""), row) {
			t.Errorf("docs/guide/report.md lacks %q", row)
		}
	}
}
