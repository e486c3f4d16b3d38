package docs

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

const (
	mostWords  = 30_000 // hand-written, in all pages
	mostLines  = 150    // of README.md
	mostClicks = 3      // from README.md to any page
)

var (
	root      = os.DirFS("../..")
	link      = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	fence     = regexp.MustCompile("(?ms)^```.*?^```$")
	heading   = regexp.MustCompile(`(?m)^#+ (.*)$`)
	generated = regexp.MustCompile(`^<!-- (?:Generated:|Written by) (go (?:run|test) (\./\S+).*) -->\n`)
	section   = regexp.MustCompile(`(?s)<!-- table: .*?<!-- end of table -->`)
	number    = regexp.MustCompile(`\d[\d.,]*\d|\d`)
	mention   = regexp.MustCompile(`\bdocs/[\w/.-]*\w\.(?:md|svg|yaml)\b|\b(?:\w+/)+RATIONALE\.md\b`)
)

// pages are the Markdown files of the repository by their paths, test data apart.
func pages(t *testing.T) map[string]string {
	t.Helper()
	list := map[string]string{}
	walk(t, func(name, text string) {
		if path.Ext(name) == ".md" {
			list[name] = text
		}
	})
	if len(list) < 30 {
		t.Fatalf("%d pages", len(list))
	}
	return list
}

// walk visits the text files of the repository.
func walk(t *testing.T, visit func(name, text string)) {
	t.Helper()
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		if ext := path.Ext(name); ext != ".md" && ext != ".go" && ext != ".yaml" && path.Dir(name) != ".ci" {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		visit(name, string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// links are the local targets of a page, relative to the root, with their anchors.
func links(name, text string) [][2]string {
	var list [][2]string
	for _, m := range link.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		if strings.Contains(m[1], "://") {
			continue
		}
		target, anchor, _ := strings.Cut(m[1], "#")
		if target == "" {
			target = path.Base(name)
		}
		list = append(list, [2]string{path.Join(path.Dir(name), target), anchor})
	}
	return list
}

// anchors are the names by which a page's headings are linked.
func anchors(text string) []string {
	var list []string
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		title := link.ReplaceAllString(m[1], "")
		list = append(list, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, title))
	}
	return list
}

// TestLinks: every relative link leads to a file, and to a heading of it.
func TestLinks(t *testing.T) {
	all := pages(t)
	for name, text := range all {
		for _, l := range links(name, text) {
			if _, err := fs.Stat(root, l[0]); err != nil {
				t.Errorf("%s: %v", name, err)
			} else if l[1] != "" && !slices.Contains(anchors(all[l[0]]), l[1]) {
				t.Errorf("%s: %s has no heading #%s", name, l[0], l[1])
			}
		}
	}
}

// TestMentions: pages that code, data and scripts name exist.
func TestMentions(t *testing.T) {
	walk(t, func(name, text string) {
		for _, m := range mention.FindAllString(text, -1) {
			if _, err := fs.Stat(root, strings.TrimPrefix(m, "gpupipe/")); err != nil &&
				path.Dir(name) != "internal/docs" {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// TestReach: every page of docs is few clicks away from README.md. A link to a folder shows its files.
func TestReach(t *testing.T) {
	all := pages(t)
	seen := map[string]int{"README.md": 0}
	for queue := []string{"README.md"}; len(queue) > 0; queue = queue[1:] {
		name := queue[0]
		next := links(name, all[name])
		for page := range all {
			if path.Dir(page) == name {
				next = append(next, [2]string{page})
			}
		}
		for _, l := range next {
			if l[0] == "docs" {
				l[0] = "docs/README.md" // which a browser of the repository shows
			}
			if _, ok := seen[l[0]]; !ok {
				seen[l[0]] = seen[name] + 1
				queue = append(queue, l[0])
			}
		}
	}
	for name := range all {
		if clicks, ok := seen[name]; strings.HasPrefix(name, "docs/") && (!ok || clicks > mostClicks) {
			t.Errorf("%s is %d clicks from README.md (reachable: %v)", name, clicks, ok)
		}
	}
}

// TestGenerated: pages of figures say in their first line which command writes them.
func TestGenerated(t *testing.T) {
	for name, text := range pages(t) {
		m := generated.FindStringSubmatch(text)
		dir := path.Dir(name)
		if m == nil {
			if dir == "docs/evidence/measured" || dir == "docs/evidence/tables" ||
				strings.Contains(text, "<!-- Generated") {
				t.Errorf("%s does not begin with the command that writes it", name)
			}
		} else if _, err := fs.Stat(root, path.Clean(m[2])); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWords: what is written by hand stays short. Run with -v for the count.
func TestWords(t *testing.T) {
	words := 0
	for name, text := range pages(t) {
		if !generated.MatchString(text) {
			n := len(strings.Fields(section.ReplaceAllString(text, "")))
			words += n
			t.Logf("%6d %s", n, name)
		}
		if n := strings.Count(text, "\n"); name == "README.md" && n > mostLines {
			t.Errorf("README.md has %d lines, more than %d", n, mostLines)
		}
	}
	t.Logf("%6d in all", words)
	if words > mostWords {
		t.Errorf("%d hand-written words, more than %d", words, mostWords)
	}
}

// TestFigures: the figures of README.md stand in the pages that it names for them.
func TestFigures(t *testing.T) {
	all := pages(t)
	_, table, _ := strings.Cut(all["README.md"], "\n| what | figure | page |\n|---|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(table, "\n")
	if len(rows) != 7 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		cells := strings.Split(row, "|")
		for _, l := range links("README.md", row) {
			found := number.FindAllString(all[l[0]], -1)
			for _, n := range number.FindAllString(cells[2], -1) {
				if !slices.Contains(found, n) {
					t.Errorf("%s has no figure %s: %s", l[0], n, strings.TrimSpace(cells[1]))
				}
			}
		}
	}
}
