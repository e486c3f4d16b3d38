package sass

import "slices"

// Ports is what reading registers costs an execution of code by a warp that is alone, if nothing else
// makes it wait: the model of Huerta et al., MICRO 2025 (H25), 5.3.
type Ports struct {
	Fixed  [Pipes]int64 // instructions of fixed latency
	Words  [Pipes]int64 // registers that they read through the ports
	Issued int64        // instructions
	Cycles int64        // to allocate the ports of two banks, one word each a cycle
	Ideal  int64        // to allocate the two ports if it did not matter where registers are
}

// PortReads lists the registers that each instruction reads through the ports of the register
// file: those that the register file cache does not have, each once. Instructions of variable
// latency have none: they wait for the ports in a queue of their own (H25 5.1.1). The cache
// is empty at the beginning of a basic block.
func (k *Kernel) PortReads() [][]int {
	leaders := k.leaders()
	ports := make([][]int, len(k.Code))
	kept := cache{}
	for i := range k.Code {
		if leaders[i] {
			clear(kept)
		}
		if in := &k.Code[i]; in.FixedLatency() {
			list := kept.read(in.Reads())
			slices.Sort(list)
			ports[i] = slices.Compact(list)
		}
	}
	return ports
}

// FixedLatency reports whether nothing has to wait for a dependence counter of the instruction.
func (in *Instruction) FixedLatency() bool {
	switch in.Pipe() {
	case Special, Global, Local, Constant:
		return false
	}
	return !in.Counted
}

// leaders tells the first instructions of basic blocks.
func (k *Kernel) leaders() []bool {
	leaders := make([]bool, len(k.Code)+1)
	leaders[0] = true
	for i := range k.Code {
		in := &k.Code[i]
		if p := in.Pipe(); p != Branch && p != Barrier {
			continue
		}
		leaders[i+1] = true
		if at, ok := in.target(); ok && in.Pipe() == Branch && at >= 0 && at < len(k.Code) {
			leaders[at] = true
		}
	}
	return leaders
}

// Ports adds up what the blocks cost, each as often as a warp executes it (Run).
func (k *Kernel) Ports(executed []Executed) (sum Ports) {
	leaders, reads := k.leaders(), k.PortReads()
	for first := 0; first < len(k.Code); {
		end := first + 1
		for !leaders[end] && end < len(k.Code) {
			end++
		}
		n := executed[first].Issued
		for i := first; i < end; i++ {
			if in := &k.Code[i]; in.FixedLatency() {
				sum.Fixed[in.Pipe()] += n
				sum.Words[in.Pipe()] += n * int64(len(reads[i]))
			}
		}
		sum.Issued += n * int64(end-first)
		sum.Cycles += n * allocate(reads[first:end], bank, 1)
		sum.Ideal += n * allocate(reads[first:end], func(int) int { return 0 }, banks)
		first = end
	}
	return sum
}

// window is how many cycles an instruction has to read its operands in (H25 5.3).
const window = 3

// allocate returns the cycles in which instructions pass the stage that allocates ports: one in a cycle, each as
// soon as its reads have places in the next cycles, words of them in a cycle from each bank.
func allocate(reads [][]int, bank func(int) int, words int) int64 {
	at := 0
	busy := [banks][]int{} // words by cycle
	for _, list := range reads {
		var n [banks]int
		for _, r := range list {
			n[bank(r)]++
		}
		for b := range busy {
			for free := 0; ; at++ {
				for len(busy[b]) <= at+window {
					busy[b] = append(busy[b], 0)
				}
				free = 0
				for _, taken := range busy[b][at+1 : at+1+window] {
					free += words - taken
				}
				if free >= n[b] {
					break
				}
			}
		}
		for b := range busy {
			for len(busy[b]) <= at+window {
				busy[b] = append(busy[b], 0)
			}
			for c := at + 1; n[b] > 0; c++ {
				taken := min(n[b], words-busy[b][c])
				busy[b][c] += taken
				n[b] -= taken
			}
		}
		at++
	}
	return int64(at)
}
