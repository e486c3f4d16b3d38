package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gpupipe/internal/test/tools"
)

// The block that both analysers run: so many instructions, so many times.
const (
	mcaBlock      = 1000
	mcaIterations = 1000
)

// BenchmarkAnalyser/against=llvm-mca compares pipesim with LLVM's static
// analyser of x86 code, as whole processes that take turns: a loop of 1,000
// instructions with the same dependences (chains of multiply-adds, additions and
// multiplications over 14 registers, and loads), a thousand times. The graph
// comes from a file, as the assembly does; pipesim runs it as one warp, and skips iterations whose course
// is known. With findings it simulates remedies, too. Start is what llvm-mca takes for one iteration.
func BenchmarkAnalyser(b *testing.B) {
	b.Run("against=llvm-mca", func(b *testing.B) {
		mca := tools.Path(b, "llvm-mca", "llvm")
		dir := b.TempDir()
		assembly, graph := filepath.Join(dir, "block.s"), filepath.Join(dir, "block.json")
		write(b, assembly, block(x86))
		write(b, graph, mcaGraph())
		theirs := func(iterations int) time.Duration {
			return processorTime(b, mca, "-mtriple=x86_64", "-mcpu=skylake", fmt.Sprintf("-iterations=%d", iterations),
				assembly)
		}
		modes := []string{"dataflow", "blocks", "in-order"}
		var mcaTime, start time.Duration
		ours, advised := make([]time.Duration, len(modes)), make([]time.Duration, len(modes))
		for b.Loop() {
			mcaTime += theirs(mcaIterations)
			start += theirs(1)
			for i, mode := range modes {
				ours[i] += processorTime(b, "pipesim", "--full", "--findings", "0", "--issue", mode, graph)
				advised[i] += processorTime(b, "pipesim", "--full", "--issue", mode, graph)
			}
		}
		b.ReportMetric(mcaTime.Seconds()/float64(b.N), "s/llvm-mca")
		b.ReportMetric(start.Seconds()/float64(b.N), "s/llvm-mca-start")
		for i, mode := range modes {
			b.ReportMetric(mcaTime.Seconds()/ours[i].Seconds(), "x-"+mode)
			b.ReportMetric(mcaTime.Seconds()/advised[i].Seconds(), "x-"+mode+"-with-findings")
		}
	})
}

func write(b *testing.B, file, text string) {
	b.Helper()
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		b.Fatal(err)
	}
}

// processorTime is what a whole process takes of the processors, whatever else the
// machine does: more than by the clock, where the process has several threads.
func processorTime(b *testing.B, args ...string) time.Duration {
	b.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v: %v\n%s", args, err, out)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// operation is one instruction of the block: what it does to which register.
type operation struct {
	op           string // of the graph
	target, with int    // registers
}

// operations is the block: every eighth instruction loads a register, the
// others combine two into one of them.
func operations() []operation {
	list := make([]operation, mcaBlock-1)
	for i := range list {
		o := operation{op: [...]string{"fma.f32", "add.f32", "mul.f32"}[i%3], target: (5 * i) % 14,
			with: (3*i + 1) % 14}
		if i%8 == 0 {
			o.op = "ld.local"
		}
		list[i] = o
	}
	return list
}

// x86 writes an operation as an instruction of x86.
func x86(o operation) string {
	switch o.op {
	case "ld.local":
		return fmt.Sprintf("vmovups %d(%%rsi), %%ymm%d", 32*o.with, o.target)
	case "fma.f32":
		return fmt.Sprintf("vfmadd231ps %%ymm%d, %%ymm%d, %%ymm%d", o.with, o.with, o.target)
	case "add.f32":
		return fmt.Sprintf("vaddps %%ymm%d, %%ymm%d, %%ymm%d", o.with, o.target, o.target)
	default:
		return fmt.Sprintf("vmulps %%ymm%d, %%ymm%d, %%ymm%d", o.with, o.target, o.target)
	}
}

func block(instruction func(operation) string) string {
	var text strings.Builder
	for _, o := range operations() {
		fmt.Fprintf(&text, "%s\n", instruction(o))
	}
	text.WriteString("dec %rdi\n") // the loop's own instruction
	return text.String()
}

// mcaGraph is the block as a folded graph: the first iteration, and the
// others as one repetition.
func mcaGraph() string {
	var text strings.Builder
	text.WriteString(
		`{"format":"idg","version":1,"source":{"file":"block.cl"},"kernel":"block","level":"O2","compiler":"none",
"launch":{"local":[32,1,1],"groups":[1,1,1],"warp_size":32},"resources":{"local_bytes":0},"loops":[],"branches":[],"notes":[],
"accesses":[{"space":"local","width":4,"offsets":[` + strings.TrimSuffix(offsets(), ",") + `]}],
"instructions":[{"op":"fma.f32","lanes":32},{"op":"add.f32","lanes":32},{"op":"mul.f32","lanes":32},
{"op":"ld.local","type":"f32","access":1,"lanes":32},{"op":"loop","lanes":32}],
"warps":[{"warps":[0],"code":[
`)
	list := operations()
	var written [14]int // the place of each register's last writer, plus 1
	at := 0
	iteration := func(gate bool) {
		for k, o := range list {
			fmt.Fprintf(&text, `{"i":%d`, map[string]int{"fma.f32": 1, "add.f32": 2, "mul.f32": 3, "ld.local": 4}[o.op])
			if o.op != "ld.local" {
				var from []string
				for _, r := range []int{o.target, o.with} {
					if w := written[r]; w > 0 && (len(from) == 0 || o.target != o.with && written[o.target] != w) {
						from = append(from, fmt.Sprint(at+1-w))
					}
				}
				if len(from) > 0 {
					fmt.Fprintf(&text, `,"d":[%s]`, strings.Join(from, ","))
				}
			}
			if gate {
				fmt.Fprintf(&text, `,"c":[%d]`, k+1)
			}
			text.WriteString("},\n")
			at++
			written[o.target] = at
		}
		text.WriteString(`{"i":5`)
		if gate {
			fmt.Fprintf(&text, `,"d":[%d]`, mcaBlock)
		}
		text.WriteString("}")
		at++
	}
	iteration(false)
	fmt.Fprintf(&text, ",\n{\"repeat\":%d,\"body\":[\n", mcaIterations-1)
	iteration(true)
	text.WriteString("\n]}\n]}]}\n")
	return text.String()
}

func offsets() string {
	var text strings.Builder
	for lane := range 32 {
		fmt.Fprintf(&text, "%d,", 4*lane)
	}
	return text.String()
}
