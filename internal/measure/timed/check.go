package timed

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"gpupipe/internal/measure/driver"
	"gpupipe/lower"
)

// tolerance is the relative error that outputs in floating point may have: the order of operations differs.
const tolerance = 1e-3

// Difference is where the outputs of two kernels differ.
type Difference struct {
	Buffer    string
	Index     int64
	Got, Want float64
}

func (d *Difference) Error() string {
	return fmt.Sprintf("%s[%d] is %v; the reference computes %v", d.Buffer, d.Index, d.Got, d.Want)
}

// Check executes the kernel and the reference on equal contents of their buffers, and compares the buffers that
// the kernel can write. Both have parameters of the same names;
// a reference without a launch comment has the kernel's launch.
func (j *Job) Check(ctx context.Context, d driver.Device, reference *Job, limit time.Duration) error {
	if reference.Function.Launch == nil {
		reference.Local, reference.Groups = j.Local, j.Groups
	}
	var outputs [2]map[string][]byte
	var kinds map[string]lower.Type
	for i, job := range []*Job{j, reference} {
		var err error
		if outputs[i], kinds, err = job.outputs(ctx, d, limit); err != nil {
			return err
		}
	}
	for _, p := range j.kernel.Lowered.Params {
		got, want := outputs[0][p.Name], outputs[1][p.Name]
		if got == nil || want == nil {
			continue
		}
		if err := compare(p.Name, kinds[p.Name], got, want); err != nil {
			return err
		}
	}
	return nil
}

// outputs are the contents of the buffers behind one launch.
func (j *Job) outputs(ctx context.Context, d driver.Device, limit time.Duration) (map[string][]byte,
	map[string]lower.Type, error) {
	o, err := j.open(ctx, d, limit)
	if err != nil {
		return nil, nil, err
	}
	defer o.close()
	if _, err := o.launch(ctx, 0, 0); err != nil {
		return nil, nil, err
	}
	out, kinds := map[string][]byte{}, map[string]lower.Type{}
	for _, m := range o.args.buffers {
		if m.readOnly {
			continue
		}
		data := make([]byte, m.buffer.Bytes())
		if err := m.buffer.Read(data); err != nil {
			return nil, nil, err
		}
		out[m.name], kinds[m.name] = data, m.typ
	}
	return out, kinds, nil
}

func compare(name string, typ lower.Type, got, want []byte) error {
	size := int(typ.Size())
	for i := 0; i+size <= min(len(got), len(want)); i += size {
		a, b := number(typ, got[i:]), number(typ, want[i:])
		allowed := 0.0
		if typ.IsFloat() {
			allowed = tolerance * max(1, math.Abs(b))
		}
		if !(math.Abs(a-b) <= allowed) && !(math.IsNaN(a) && math.IsNaN(b)) {
			return &Difference{name, int64(i / size), a, b}
		}
	}
	return nil
}

func number(typ lower.Type, at []byte) float64 {
	switch typ {
	case lower.F32:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(at)))
	case lower.F64:
		return math.Float64frombits(binary.LittleEndian.Uint64(at))
	}
	var n uint64
	for b := int(typ.Size()) - 1; b >= 0; b-- {
		n = n<<8 | uint64(at[b])
	}
	return float64(n)
}
