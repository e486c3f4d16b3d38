package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// TestCIJobs runs the jobs of docs/guide/ci.md in a repository whose branch makes a kernel faster or slower:
// they comment, write SARIF, and fail for the slower one.
func TestCIJobs(t *testing.T) {
	page, err := os.ReadFile("../../docs/guide/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(page), "```yaml\n")[1:]
	var github struct {
		Jobs map[string]struct {
			Steps []struct{ Name, Run string }
		}
	}
	var gitlab map[string]struct{ Script []string }
	for i, into := range []any{&github, &gitlab} {
		text, _, _ := strings.Cut(blocks[i], "```")
		if err := yaml.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	var steps []string
	for _, s := range github.Jobs["kernels"].Steps {
		if s.Run != "" && s.Name != "tools" {
			steps = append(steps, s.Run)
		}
	}
	if len(steps) != 4 || len(gitlab["kernels"].Script) != 8 {
		t.Fatalf("%q\n%q", steps, gitlab)
	}
	for name, script := range map[string][]string{"github": steps, "gitlab": gitlab["kernels"].Script} {
		for _, c := range []struct {
			name, old, new string
			fails          bool
		}{
			{"faster", "x * n + y", "y * n + x", false},
			{"slower", "y * n + x", "x * n + y", true},
		} {
			t.Run(name+"/"+c.name, func(t *testing.T) { runJob(t, script, c.old, c.new, c.fails) })
		}
	}
}

const ciKernels = `// idgen: local=32,8 groups=64,256 arg.n=2048
__kernel void copy(__global float *out, __global const float *in, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[INDEX] = in[y * n + x];
}
// idgen: local=64 groups=1024
__kernel void scale(__global float *x) { x[get_global_id(0)] *= 2.0f; }
`

// runJob runs the steps on a branch that changes the index of a store.
func runJob(t *testing.T, steps []string, old, new string, fails bool) {
	dir := t.TempDir()
	setup := `set -e
mkdir bin origin
printf '#!/bin/sh\necho "$0 $*" >> "$COMMENTS"\n' > bin/gh
chmod +x bin/gh
cp bin/gh bin/curl
cd origin
git init -q -b main
mkdir src
printf %s "$KERNELS_TEXT" | sed "s/INDEX/$OLD/" > src/kernels.cl
git add -A
git commit -qm old
cd ..
git clone -q "file://$PWD/origin" work
cd work
sed -i.bak "s/out\[.*\] =/out[$NEW] =/" src/kernels.cl
`
	env := append(os.Environ(), "KERNELS_TEXT="+ciKernels, "OLD="+old, "NEW="+new, "COMMENTS="+dir+"/comments",
		"PATH="+filepath.Join(dir, "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"), "KERNELS=src/kernels.cl",
		"GPU=rtx3090",
		"GITHUB_BASE_REF=main", "CI_MERGE_REQUEST_DIFF_BASE_SHA=main", "GITHUB_STEP_SUMMARY="+dir+"/summary", "PR=7",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	sh := func(dir, script string) (string, error) {
		cmd := exec.Command("bash", "-e", "-o", "pipefail", "-c", script)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := sh(dir, setup); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	work := filepath.Join(dir, "work")
	for i, step := range steps {
		out, err := sh(work, step)
		last := i == len(steps)-1
		if (err != nil) != (last && fails) {
			t.Fatalf("%s\n%v\n%s", step, err, out)
		}
		if last && fails && !strings.Contains(out, "copy: ") {
			t.Errorf("the kernel is not named: %s", out)
		}
	}
	for file, want := range map[string]string{"work/diff.md": "| copy |", "work/pipesim.sarif": `"src/kernels.cl"`,
		"comments": "diff.md"} {
		if text, err := os.ReadFile(filepath.Join(dir, file)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v\n%s", file, err, text)
		}
	}
}
