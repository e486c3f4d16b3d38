package unroll_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gpupipe/internal/tools"
	"gpupipe/unroll"
)

// hostBatch is how many kernels are in one program: clang needs a second for each.
const hostBatch = 100

// TestHostCompiler holds the traces of random kernels at -O0, lane by lane, against the host: clang compiles
// them with a call at every load and store (-fsanitize-coverage), and every work item of a group is
// executed as it stands. Each iteration of a loop stores to a counter of its own first, so that equal
// stores are equal trip counts.
func TestHostCompiler(t *testing.T) {
	clang := tools.Path(t, "clang", "clang")
	kernels := tools.Cases(500, 40)
	skipped, events := 0, 0
	for first := 0; first < kernels; first += hostBatch {
		var list []*hostKernel
		for seed := range hostBatch {
			list = append(list, newHostKernel(uint64(first+seed)))
		}
		if err := runOnHost(clang, t.TempDir(), list); err != nil {
			t.Fatal(err)
		}
		for _, k := range list {
			n, err := k.compare(t)
			switch {
			case err == errSkip:
				skipped++
			case err != nil:
				t.Errorf("seed %d, local %v, groups %v, args %v: %v\n%s", k.seed, k.local, k.groups, k.args, err,
					numbered(k.text))
			}
			events += n
		}
	}
	t.Logf("%d kernels, %d accesses and barriers of work items, %d kernels skipped", kernels, events, skipped)
	if skipped > kernels/20 {
		t.Errorf("%d of %d random kernels could not be used", skipped, kernels)
	}
}

// hostKernel is a random kernel with its launch, and what the host's execution of it was.
type hostKernel struct {
	seed          uint64
	text          string
	local, groups [3]int64
	args          map[string]int64
	// by work item of the group in the middle; nil: it ran too long, or divided by what hosts do not
	events [][]event
}

func newHostKernel(seed uint64) *hostKernel {
	rng := rand.New(rand.NewPCG(seed, 11))
	launch := oracleLaunches[rng.IntN(len(oracleLaunches))]
	return &hostKernel{
		seed: seed, text: generateCounted(seed), local: launch.local, groups: launch.groups,
		args: map[string]int64{"n": int64(rng.IntN(40)) - 5, "m": int64(rng.Uint32()),
			"q": int64(rng.Uint64() >> rng.IntN(64))},
	}
}

// compare resolves the kernel and compares its events with the host's.
func (k *hostKernel) compare(t *testing.T) (events int, err error) {
	if k.events == nil {
		return 0, errSkip
	}
	lowered := lowerKernel(t, k.text)
	opt := unroll.Options{Target: unroll.Target{Level: unroll.O0, Compiler: unroll.NoCompiler}, Local: k.local,
		Groups: k.groups, Args: map[string]unroll.ArgValue{}}
	for name, v := range k.args {
		opt.Args[name] = unroll.ArgValue{Int: v}
	}
	traces, err := traceOf(lowered, opt)
	if err != nil {
		return 0, err
	}
	for item, log := range k.events {
		tr := &traces[item/32]
		got, want := tr.lanes[item%32], tr.visible(lowered, log)
		for i := range got {
			got[i].pos = want0
		}
		if err := sameEvents(want, got); err != nil {
			return events, fmt.Errorf("work item %d: %w\nwant %v\ngot  %v", item, err, want, got)
		}
		events += len(got)
	}
	return events, nil
}

// want0 is the position of the host's events, which have none.
var want0 = event{}.pos

// What the kernel's memory is called, in the order of the host program's enum.
var hostObjects = []string{"a", "b", "v", "count", "s", "p", "t"}

var hostKinds = []string{"ld", "st", "atomic", "barrier"}

// runOnHost compiles the kernels into one program and reads what they did.
func runOnHost(clang, dir string, list []*hostKernel) error {
	var kernels, calls strings.Builder
	kernels.WriteString(hostPrelude)
	for i, k := range list {
		fmt.Fprintf(&kernels, "#define k k%d\n#define h0 h0_%d\n#define h1 h1_%d\n%s#undef k\n#undef h0\n#undef h1\n",
			i, i, i, forHost(k.text))
		fmt.Fprintf(&calls, "void k%d(void *, void *, void *, int, unsigned, long, void *);\n", i)
	}
	calls.WriteString("static const struct launch launches[] = {\n")
	for i, k := range list {
		fmt.Fprintf(&calls, "{k%d, {%d, %d, %d}, {%d, %d, %d}, %d, %du, (long)%dul},\n", i,
			k.local[0], k.local[1], k.local[2], k.groups[0], k.groups[1], k.groups[2], k.args["n"], uint32(k.args["m"]),
			uint64(k.args["q"]))
	}
	calls.WriteString("};\n")
	files := map[string]string{"k.cl": kernels.String(), "launches.h": calls.String(), "main.c": hostMain}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	for _, args := range [][]string{
		{"-x", "cl", "-cl-std=CL1.2", "-w", "-O0", "-fsanitize-coverage=func,trace-loads,trace-stores", "-c", "-o",
			"k.o", "k.cl"},
		{"-O1", "-w", "-o", "host", "main.c", "k.o"},
	} {
		cmd := exec.Command(clang, args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("clang: %w\n%.2000s", err, out)
		}
	}
	var stderr bytes.Buffer
	cmd := exec.Command(filepath.Join(dir, "host"))
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("host program: %w %s", err, stderr.String())
	}
	return readEvents(bufio.NewReader(bytes.NewReader(out)), list)
}

// readEvents reads what the host program writes: for each kernel whether it ended and its
// events, each with the work item.
func readEvents(r io.Reader, list []*hostKernel) error {
	for _, k := range list {
		var ended, n uint32
		if err := binary.Read(r, binary.LittleEndian, &ended); err != nil {
			return err
		}
		if err := binary.Read(r, binary.LittleEndian, &n); err != nil {
			return err
		}
		raw := make([]struct {
			Item         uint16
			Kind, Object uint8
			Width        uint32
			Offset       int64
		}, n)
		if err := binary.Read(r, binary.LittleEndian, raw); err != nil {
			return err
		}
		if ended == 0 {
			continue
		}
		k.events = make([][]event, k.local[0]*k.local[1]*k.local[2])
		for _, e := range raw {
			x := event{kind: hostKinds[e.Kind]}
			if x.kind != "barrier" {
				x.object, x.offset, x.width = hostObjects[e.Object], e.Offset, int64(e.Width)
			}
			k.events[e.Item] = append(k.events[e.Item], x)
		}
	}
	return nil
}

var componentStore = regexp.MustCompile(`v\[(.*)\]\.y = d`)

// forHost tells the program where arrays are. clang stores a vector's component with the whole vector.
func forHost(text string) string {
	text = strings.Replace(text, "local int s[64];", "local int s[64]; array(4, (ulong)s, sizeof s);", 1)
	text = strings.Replace(text, "int p[8], t[3];",
		"int p[8], t[3]; array(5, (ulong)p, sizeof p); array(6, (ulong)t, sizeof t);", 1)
	return componentStore.ReplaceAllString(text, "((global int *)&v[$1])[1] = d")
}
