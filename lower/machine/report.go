package machine

import (
	"fmt"
	"io"
)

// reports print resources as the compiler of a set of instructions does.
var reports = map[string]func(io.Writer, *Code) error{"sass": reportAsPtxas, "gcn": reportAsClang}

// Report prints what a kernel takes as its own compiler does: ptxas -v, clang -Rpass-analysis=kernel-resource-usage.
// For a virtual machine it prints nothing.
func Report(w io.Writer, c *Code) error {
	if r := reports[c.Target.ISA]; r != nil {
		return r(w, c)
	}
	return nil
}

func reportAsPtxas(w io.Writer, c *Code) error {
	r := &c.Resources
	_, err := fmt.Fprintf(w, "ptxas info    : Function properties for %s\n    %d bytes stack frame, %d bytes spill "+
		"stores, %d bytes spill loads\nptxas info    : Used %d registers", c.Name, r.PrivateBytes, c.spilled(true),
		c.spilled(false), r.Registers)
	if err == nil && r.LocalBytes > 0 {
		_, err = fmt.Fprintf(w, ", %d bytes smem", r.LocalBytes)
	}
	if err == nil {
		_, err = fmt.Fprintf(w, ", %d bytes cmem[0]\n", c.Target.Parameters+c.parameterBytes())
	}
	return err
}

func reportAsClang(w io.Writer, c *Code) error {
	r, t := &c.Resources, c.Target
	vectors, accumulators := r.Registers, ""
	if t.Has("matrix") { // what ordinary instructions cannot read lies in accumulation registers
		vectors = min(vectors, t.MaxOrdinary)
		accumulators = fmt.Sprintf("remark:     AGPRs: %d\n", r.Registers-vectors)
	}
	_, err := fmt.Fprintf(w,
		"remark: %v: Function Name: %s\nremark:     SGPRs: %d\nremark:     VGPRs: %d\n%sremark:     "+
			"ScratchSize [bytes/lane]: %d\nremark:     Occupancy [waves/SIMD]: %d\nremark:     SGPRs Spill: %d\n"+
			"remark:     VGPRs Spill: %d\nremark:     LDS Size [bytes/block]: %d\n", c.Pos, c.Name,
		r.UniformRegisters, vectors, accumulators, r.PrivateBytes, r.Waves, r.UniformSpills, r.SpillBytes/4,
		r.LocalBytes)
	return err
}

// Instructions is how many instructions the code has.
func (c *Code) Instructions() (n int) {
	for _, s := range linearise(c).steps {
		if s.instr != nil && !s.instr.Free {
			n++
		}
	}
	return n
}

// spilled is how many bytes of a lane the spill stores or loads move.
func (c *Code) spilled(stores bool) int64 {
	n := int64(0)
	for _, s := range linearise(c).steps {
		if in := s.instr; in != nil && in.Spill && in.Mem != nil && in.Mem.Store == stores {
			n += in.Mem.Bytes
		}
	}
	return n
}

// parameterBytes is the size of the kernel's parameters, each aligned to its own size.
func (c *Code) parameterBytes() int64 {
	n := int64(0)
	for i := range c.Func.Params {
		size := max(1, c.Func.Params[i].Type.Size())
		n = (n+size-1)/size*size + size
	}
	return n
}
