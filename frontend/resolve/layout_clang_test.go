package resolve

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/internal/test/tools"
)

// randomClass is a class of members, bit-fields among them, and what can be asked of its layout.
func randomClass(r *rand.Rand, name string) (text string, asked []string) {
	types := []string{"char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long long", "bool"}
	bits := []int{8, 8, 16, 16, 32, 32, 64, 1}
	text = "struct " + name + " {"
	for i := range 1 + r.IntN(7) {
		k := r.IntN(len(types))
		switch r.IntN(8) {
		case 0, 1:
			text += fmt.Sprintf(" %s m%d;", types[k], i)
			asked = append(asked, fmt.Sprintf("__builtin_offsetof(%s, m%d)", name, i))
		case 2:
			text += fmt.Sprintf(" %s : %d;", types[k], r.IntN(bits[k]+1))
		default:
			text += fmt.Sprintf(" %s m%d : %d;", types[k], i, 1+r.IntN(bits[k]))
		}
	}
	return text + " };\n", append(asked, "sizeof("+name+")", "alignof("+name+")")
}

// TestLayoutAgainstClang: random classes with bit-fields have the size, the alignment and the offsets of members that
// they have in clang++.
func TestLayoutAgainstClang(t *testing.T) {
	clang := tools.Path(t, "clang++", "clang")
	r := rand.New(rand.NewPCG(8, 15))
	var ours strings.Builder
	var asked []string
	for i := range tools.Cases(3000, 400) {
		class, about := randomClass(r, fmt.Sprintf("S%d", i))
		ours.WriteString(class)
		asked = append(asked, about...)
	}
	path := filepath.Join(t.TempDir(), "k.cpp")
	theirs := ours.String() + "unsigned long all[] = {" + strings.Join(asked, ",") + "};\n"
	if err := os.WriteFile(path, []byte(theirs), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(clang, "-target", "x86_64-linux-gnu", "-S", "-emit-llvm", "-w", "-o", "-", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(out), "x i64] [") // @all = ... [9 x i64] [i64 4, i64 8, ...]
	list, _, _ = strings.Cut(list, "]")
	values := strings.Split(list, ", ")
	if len(values) != len(asked) {
		t.Fatalf("%d values of %d: %.300s", len(values), len(asked), list)
	}
	for i, a := range asked {
		fmt.Fprintf(&ours, "static_assert(%s == %s, \"\");\n", a, strings.TrimPrefix(values[i], "i64 "))
	}
	ours.WriteString("__global__ void k(int *a) { a[0] = 1; }\n")
	if _, err := Parse(Config{File: "k.cu", Text: ours.String(), Dialect: ast.CUDA}); err != nil {
		line := 0
		fmt.Sscanf(err.Error(), "k.cu:%d", &line)
		t.Errorf("%v\n%s", err, strings.Split(ours.String(), "\n")[max(0, line-1)])
	}
}
