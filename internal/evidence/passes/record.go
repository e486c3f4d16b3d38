package passes

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// release is that of the LLVM whose counts are recorded: Debian's packages clang and llvm.
const release = "14."

// key is a function after a pipeline of opt.
type key struct{ pipeline, function string }

// parseRecord reads opt.tsv.
func parseRecord(text string) (map[key]Counts, error) {
	out := map[key]Counts{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if cells[0] == "passes" {
			continue
		}
		var c Counts
		if len(cells) != 7 {
			return nil, fmt.Errorf("opt.tsv: %q", line)
		}
		numbers := strings.Join(cells[2:], " ")
		if _, err := fmt.Sscan(numbers, &c.Arith, &c.Load, &c.Store, &c.Branch, &c.Call); err != nil {
			return nil, fmt.Errorf("opt.tsv: %q: %w", line, err)
		}
		out[key{cells[0], cells[1]}] = c
	}
	return out, nil
}

// HasLLVM reports whether clang and opt of the release are installed.
func HasLLVM() bool {
	out, err := exec.Command("clang", "-dumpversion").Output()
	if err != nil || !strings.HasPrefix(string(out), release) {
		return false
	}
	out, err = exec.Command("opt", "--version").Output()
	return err == nil && strings.Contains(string(out), "LLVM version "+release)
}

// Record runs clang and opt over the functions of a file and returns the text of opt.tsv.
func Record(file string) (string, error) {
	dir, err := os.MkdirTemp("", "passes")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	module := filepath.Join(dir, "functions.ll")
	if err := command("clang", "-x", "cl", "-cl-std=CL1.2", "-O3", "-Xclang", "-disable-llvm-passes", "-target",
		"nvptx64-nvidia-cuda", "-ffp-contract=off", "-w", "-S", "-emit-llvm", "-o", module, file); err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("# Operations of the functions in functions.cl after opt 14 -passes=...; " +
		"written by go test -update.\n" +
		"passes\tfunction\tarith\tload\tstore\tbranch\tcall\n")
	for _, s := range Steps {
		to := filepath.Join(dir, "out.ll")
		if err := command("opt", "-S", "-enable-nontrivial-unswitch", "-passes="+s.Opt, "-o", to, module); err != nil {
			return "", err
		}
		text, err := os.ReadFile(to)
		if err != nil {
			return "", err
		}
		counts := countLLVM(string(text))
		var names []string
		for name := range counts {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			c := counts[name]
			fmt.Fprintf(&b, "%s\t%s\t%d\t%d\t%d\t%d\t%d\n", s.Opt, name, c.Arith, c.Load, c.Store, c.Branch, c.Call)
		}
	}
	return b.String(), nil
}

func command(name string, args ...string) error {
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}
