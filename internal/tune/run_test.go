package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/internal/generate"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/sweep"
	"gpupipe/unroll"
)

const scale = `
#if BX == 96
#error no
#endif
__global__ void scale(float *x, const int *at, float f)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * N;
#pragma unroll
    for (int k = 0; k < N; k++)
        for (int j = 0; j < 40; j++)
            x[AT(i + k)] = x[AT(i + k)] * f + j;
}
`

// planOf plans a space of the kernel above.
func planOf(t *testing.T, shard sweep.Shard, defines []string, params ...string) *Plan {
	t.Helper()
	s := space(t, params, nil)
	source, err := generate.NewSource("scale.cu", []byte(scale), ast.CUDA, defines)
	if err != nil {
		t.Fatal(err)
	}
	d, err := latencies.Builtin("rtx3090")
	if err != nil {
		t.Fatal(err)
	}
	r := &Recipe{Source: source, Devices: []*latencies.Device{d},
		Base: generate.Options{DynamicLocal: -1, Locality: unroll.LaunchLocality}}
	if r.Local, err = ParseExprs("BX", s.Params); err != nil {
		t.Fatal(err)
	}
	if r.Groups, err = ParseExprs("ceil(65536 / (BX * N))", s.Params); err != nil {
		t.Fatal(err)
	}
	p, err := NewPlan(context.Background(), s, r, shard, 2)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// predicted are the rows of a plan by number.
func predicted(t *testing.T, p *Plan, o RunOptions) (rows []Row) {
	t.Helper()
	if err := p.Run(context.Background(), o, func(r Row) { rows = append(rows, r) }); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(rows, func(a, b Row) int { return cmp.Compare(a.Number, b.Number) })
	return rows
}

var plain = []string{"AT(i)=(i)"}

// TestBound: what rules a variant out of the fastest is no more than its prediction, and the fastest are the same as
// without it.
func TestBound(t *testing.T) {
	params := []string{"BX=32,64,96,128,192,256", "N=1,2,4,8,16"}
	p := planOf(t, sweep.Shard{}, plain, params...)
	all := predicted(t, p, RunOptions{})
	for i := range all {
		if all[i].Error != "" {
			if !strings.Contains(all[i].Error, "no") || all[i].Stage != StageCompile {
				t.Errorf("%s: %s at %s", p.Describe(&all[i]), all[i].Error, all[i].Stage)
			}
			continue
		}
		j := &p.jobs[i]
		p.programs.expect(j.program)
		_, err := p.graph(j, math.SmallestNonzeroFloat64)
		p.programs.release(j.program)
		if least, ok := errors.AsType[slower](err); !ok || float64(least) > all[i].Seconds {
			t.Errorf("%s takes %v s, at least %v: %v", p.Describe(&all[i]), all[i].Seconds, least, err)
		}
	}
	top := predicted(t, planOf(t, sweep.Shard{}, plain, params...), RunOptions{Top: 3, Jobs: 3})
	alone := predicted(t, planOf(t, sweep.Shard{}, plain, params...), RunOptions{Top: 3, Jobs: 1})
	if !reflect.DeepEqual(top, alone) || !slices.ContainsFunc(top, func(r Row) bool { return r.AtLeast }) {
		t.Errorf("three at a time: %v\none: %v", top, alone)
	}
	Rank(all)
	Rank(top)
	for i := range 3 {
		if fmt.Sprint(all[i]) != fmt.Sprint(top[i]) {
			t.Errorf("place %d: %+v, with --top 3 %+v", i+1, all[i], top[i])
		}
	}
}

// TestBoundOfLaunches: launches of one program rule out each other, too.
func TestBoundOfLaunches(t *testing.T) {
	p := planOf(t, sweep.Shard{}, plain, "BX=1..48", "N=4")
	rows := predicted(t, p, RunOptions{Top: 1, Jobs: 2})
	if n := len(p.byProgram(false)); n != 1 {
		t.Errorf("%d programs", n)
	}
	if !slices.ContainsFunc(rows, func(r Row) bool { return r.AtLeast }) {
		t.Errorf("no launch is ruled out: %v", rows)
	}
}

// TestBoundBeforeRegisters: the code of a variant that cannot be among the fastest is not arranged, however large its
// groups are: code takes no more registers than let one run.
func TestBoundBeforeRegisters(t *testing.T) {
	p := planOf(t, sweep.Shard{}, plain, "BX=1024", "N=4")
	j := &p.jobs[0]
	p.programs.expect(j.program)
	if _, err := p.graph(j, math.SmallestNonzeroFloat64); !reflect.ValueOf(&p.arranged).Elem().IsZero() {
		t.Errorf("it is arranged: %v", err)
	}
}

// TestShards: shards are disjoint and together all variants, each with the row that it has in one run.
func TestShards(t *testing.T) {
	params := []string{"BX=32,64,96", "N=1,2,4"}
	want := predicted(t, planOf(t, sweep.Shard{}, plain, params...), RunOptions{})
	var got []Row
	for i := 1; i <= 2; i++ {
		got = append(got, predicted(t, planOf(t, sweep.Shard{Index: i, Of: 2}, plain, params...), RunOptions{})...)
	}
	slices.SortFunc(got, func(a, b Row) int { return cmp.Compare(a.Number, b.Number) })
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("shards have %v, one run %v", got, want)
	}
}

// TestInterval: unknown addresses widen the range; without anything assumed there is none.
func TestInterval(t *testing.T) {
	for _, c := range []struct {
		defines []string
		assumed string
	}{{[]string{"AT(i)=at[i]"}, otherAddresses}, {plain, ""}} {
		p := planOf(t, sweep.Shard{}, c.defines, "BX=64", "N=1")
		row := predicted(t, p, RunOptions{})[0]
		in, err := p.Interval(context.Background(), &row)
		anew, notKept := planOf(t, sweep.Shard{}, c.defines, "BX=64", "N=1").Interval(context.Background(), &row)
		if notKept != nil || !reflect.DeepEqual(in, anew) || len(p.fast.list) != 1 {
			t.Errorf("%v: %+v, by a plan that has not predicted it %+v, %v", c.defines, in, anew, notKept)
		}
		if err != nil || in.Low > row.Seconds || in.High < row.Seconds {
			t.Fatalf("%v of %v s, %v", in, row.Seconds, err)
		}
		if got := slices.Contains(in.Assumed, otherAddresses); got != (c.assumed != "") {
			t.Errorf("%v: takes otherwise %v", c.defines, in.Assumed)
		}
		if c.assumed != "" && !(in.High > 1.2*in.Low) {
			t.Errorf("scattered accesses take %v s at most, neighbours %v", in.High, in.Low)
		}
	}
}

// made are rows of two parameters whose times are a product.
func made() (*Space, []Row) {
	s := &Space{Params: []Param{{"A", []Value{1, 2}}, {"B", []Value{1, 2, 3}}}}
	var rows []Row
	for n := range int64(6) {
		v := s.variant(n)
		values := s.values(&v)
		rows = append(rows, Row{Number: n, Values: values, Outcome: Outcome{Warps: 8,
			Seconds: math.Pow(10, float64(values[0].(int))) * math.Pow(2, float64(values[1].(int))), Volkov: 1}})
	}
	return s, rows
}

func TestImportances(t *testing.T) {
	s, rows := made()
	list := Importances(s, append(rows, Row{Number: 9, Outcome: Outcome{Error: "x"}}))
	if len(list) != 2 || list[0].Name != "A" || math.Abs(list[0].Cost-10) > 1e-9 || math.Abs(list[1].Cost-4) > 1e-9 ||
		math.Abs(list[0].Share+list[1].Share-1) > 1e-9 || list[1].Best != 1 {
		t.Errorf("%+v", list)
	}
	cells := Over(s, rows, 0, 1)
	if len(cells) != 6 || cells[0] != (Cell{1, 1, 20}) || cells[5] != (Cell{2, 3, 800}) {
		t.Errorf("%v", cells)
	}
}

func TestScores(t *testing.T) {
	_, rows := made()
	measured := map[int64]float64{}
	for i := range rows[:5] {
		measured[rows[i].Number] = 100 - rows[i].Seconds // the wrong way round, one of them not measured
	}
	scores, n := Scores(rows, measured)
	if n != 5 || scores[0].Name != "prediction" || scores[0].Spearman != -1 || scores[0].Best[1] != 1 ||
		scores[0].Best[0] >= 1 || !math.IsNaN(scores[1].Spearman) {
		t.Errorf("%d variants, %+v", n, scores)
	}
}

func TestCheck(t *testing.T) {
	s := space(t, []string{"BX=1,2"}, nil)
	r := &Recipe{Source: &generate.Source{File: "k.cu", Text: "int BXX = 1;"}}
	if err := r.Check(s, nil); err == nil || !strings.Contains(err.Error(), "parameter BX changes nothing") {
		t.Error(err)
	}
	if err := r.Check(s, map[string]string{"k.h": "#if BX"}); err != nil {
		t.Error(err)
	}
}

// Large launches are simulated to the precision of times that are compared, small ones as a whole.
func TestPrecision(t *testing.T) {
	p := planOf(t, sweep.Shard{}, []string{"AT(i)=(i)"}, "BX=64", "N=4")
	p.Recipe.Config.Precision = sweep.Precision
	g, err := p.alone(&p.jobs[0])
	if err != nil {
		t.Fatal(err)
	}
	small, large := *p.Recipe.Devices[0], *p.Recipe.Devices[0]
	small.ComputeUnits = 1
	if got := p.config(g, &small).Precision; got != sweep.Precision {
		t.Errorf("all of the launch on one compute unit: precision %v", got)
	}
	if got := p.config(g, &large).Precision; got != 0 {
		t.Errorf("the launch on all compute units: precision %v", got)
	}
}

// Predictions are kept as far as their code takes little memory, the fastest first.
func TestKept(t *testing.T) {
	p := planOf(t, sweep.Shard{}, []string{"AT(i)=(i)"}, "BX=64", "N=4")
	g, err := p.alone(&p.jobs[0])
	if err != nil {
		t.Fatal(err)
	}
	var f predictions
	for i, code := range []int{mostCode / 2, mostCode, mostCode / 2, 10} {
		f.keep(prediction{launch: fmt.Sprint(i), graph: g, code: code,
			run: run{result: &simulate.Result{Seconds: float64(4 - i)}}})
	}
	var got []string
	for _, q := range f.list {
		got = append(got, q.launch)
	}
	if fmt.Sprint(got) != "[3 2]" {
		t.Errorf("kept %v", got)
	}
}
