package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// overviewPage has one row for each series of the pages in measuredPages.
const (
	overviewPage  = "../../../docs/evidence/accuracy.md"
	measuredPages = "../../../docs/evidence/measured"
)

// seriesRow is one series of a page: its title, GPU and origin, and the scores of the simulation.
type seriesRow struct {
	page, gpu, kernel, origin string
	rows                      int
	spearman, mape, shape     string
}

// TestAccuracyPage: docs/evidence/accuracy.md is the table of all series, read from their pages.
func TestAccuracyPage(t *testing.T) {
	names, err := filepath.Glob(measuredPages + "/*.md")
	if err != nil || len(names) == 0 {
		t.Fatalf("%d pages, %v", len(names), err)
	}
	var list []seriesRow
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, seriesOf(t, filepath.Base(name), string(text))...)
	}
	page := overview(t, list)
	if *update {
		if err := os.WriteFile(overviewPage, []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if text, err := os.ReadFile(overviewPage); err != nil {
		t.Fatal(err)
	} else if string(text) != page {
		t.Errorf("%s is not current: go test ./internal/evidence/evaluate -run TestAccuracyPage -update", overviewPage)
	}
}

var (
	pageTitle  = regexp.MustCompile(`(?m)^# Accuracy: (.*) on (.*)$`)
	seriesHead = regexp.MustCompile(`(?m)^(.*?) \((.*)\), (\d+) configurations`)
	scoreRow   = regexp.MustCompile(`(?m)^\| \*\*simulation, [\w-]+\*\* \| (\S+) \| \S+ \| (\S+) \| (\S+) \|`)
	repository = regexp.MustCompile(`(?:^|\()([\w.-]+/[\w.-]+)`)
	variant    = regexp.MustCompile(` (\(|at its ).*`) // of one GPU
)

// seriesOf reads the sections of a page that writeReport has written.
func seriesOf(t *testing.T, page, text string) []seriesRow {
	title := pageTitle.FindStringSubmatch(text)
	if title == nil {
		t.Fatalf("%s has no title", page)
	}
	var list []seriesRow
	for _, section := range strings.Split(text, "\n## ")[1:] {
		name, body, _ := strings.Cut(section, "\n")
		head, scores := seriesHead.FindStringSubmatch(body), scoreRow.FindStringSubmatch(body)
		if head == nil || scores == nil {
			t.Fatalf("%s: the section %q has no summary", page, name)
		}
		r := seriesRow{page: page, gpu: title[2], kernel: name, spearman: scores[1], mape: scores[2], shape: scores[3]}
		if title[1] != "tuned kernels" { // one kernel on several GPUs
			r.kernel, r.gpu = title[1], name
		}
		r.rows, _ = strconv.Atoi(head[3])
		if m := repository.FindStringSubmatch(head[2]); m != nil {
			r.origin = m[1]
		} else {
			r.origin, _, _ = strings.Cut(head[2], ",")
		}
		list = append(list, r)
	}
	return list
}

const overviewHead = `<!-- Generated: go test ./internal/evidence/evaluate -run TestAccuracyPage -update -->
# Accuracy: predicted against measured times

Times were measured by others and published, those of one H100 and one H200 by this project. No number of the model is fitted to them: a prediction follows from
the source, the launch and the device file. Two exceptions: residuals of the 2-D convolution showed which mechanisms
were missing, and two launch figures of each device in the series "scale" are from the same logs.

**%d series, %d rows, %d GPUs. MAPE of time: median %.1f%%, at most 15%% in %d of %d series. Spearman: median %.2f.**

- A series is one kernel, or the steps of one tutorial, on one GPU.
- Spearman: rank correlation of predicted and measured times. Rows within a few percent of each other rank low however
  good their times are.
- MAPE: mean absolute error of the time.
- shape: MAPE after the best linear fit over occupancy; "-" for fewer than three occupancies.

| GPU | kernel | rows | Spearman | MAPE %% | shape %% | measured by |
|---|---|---:|---:|---:|---:|---|
`

// overview is the text of the page.
func overview(t *testing.T, list []seriesRow) string {
	slices.SortStableFunc(list, func(a, b seriesRow) int { return strings.Compare(a.gpu, b.gpu) })
	gpus := map[string]bool{}
	var mapes, ranks []float64
	rows, near := 0, 0
	var table strings.Builder
	for _, r := range list {
		mape, err := strconv.ParseFloat(r.mape, 64)
		if err != nil {
			t.Fatalf("%s: %v", r.page, err)
		}
		rank, err := strconv.ParseFloat(r.spearman, 64)
		if err != nil {
			t.Fatalf("%s: %v", r.page, err)
		}
		gpus[variant.ReplaceAllString(r.gpu, "")] = true
		rows += r.rows
		mapes, ranks = append(mapes, mape), append(ranks, rank)
		if mape <= 15 {
			near++
		}
		fmt.Fprintf(&table, "| %s | [%s](measured/%s) | %d | %s | %s | %s | %s |\n",
			r.gpu, r.kernel, r.page, r.rows, r.spearman, r.mape, r.shape, r.origin)
	}
	slices.Sort(mapes)
	slices.Sort(ranks)
	return fmt.Sprintf(overviewHead, len(list), rows, len(gpus), quantile(mapes, .5), near, len(list),
		quantile(ranks, .5)) +
		table.String()
}
