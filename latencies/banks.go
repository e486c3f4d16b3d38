package latencies

import (
	"cmp"
	"slices"

	"gpupipe/idg"
)

// Banks is the geometry of local memory (V16 2.6).
type Banks struct {
	Count int // banks
	Bytes int // width of a bank
	Lanes int // lanes that access the banks together: the warp, half of it on G80 and GT200
	// Pairing is 2 where a wide load of which every lane has the address of the
	// lane beside it is served for twice as many lanes at a time.
	Pairing int
	// Unaligned is how many lanes a pass serves of an access that is wider than a bank and at an address that is no
	// multiple of its width, or of 8 bytes where that is less; 0: as many as of others. 16 bytes are two such
	// accesses (ds_read2_b64), 12 are one (ds_read_b96).
	Unaligned int
}

// Banks is the geometry of the device's local memory.
func (m *Memory) Banks() Banks {
	return Banks{m.LocalBanks, m.LocalBankBytes, m.LocalLanes, m.LocalPairing, m.LocalUnaligned}
}

// banks is the geometry of L1's data for an access.
func (l1 *L1) banks(a *idg.Access) Banks {
	return Banks{Count: l1.Banks, Bytes: l1.BankBytes, Lanes: len(a.Offsets)}
}

// BankPasses is the number of passes over the banks that the whole access needs:
// the sum over its groups of lanes, of which each needs one without conflicts and n for
// an n-way conflict (V16 2.6). Lanes of a group conflict when they touch different words
// of one bank; the same word is a broadcast. Accesses wider than a bank are served in
// smaller groups, so that a group's bytes fit into one row of banks: with 32 banks of 4
// bytes, half a warp at a time for 8 bytes per lane and a quarter for 16; twice that
// where pairs of lanes share addresses (Pairing). Unknown addresses and an impossible
// geometry give 0.
func BankPasses(a *idg.Access, b Banks) (passes int) {
	if b.Count < 1 || b.Bytes < 1 || b.Lanes < 1 || a.Width < 1 {
		return 0
	}
	if b.Misaligned(a) {
		each := (b.Lanes + b.Unaligned - 1) / b.Unaligned * max(1, int(a.Width)/8)
		return (len(a.Offsets) + b.Lanes - 1) / b.Lanes * each
	}
	var store [64]bankWord
	cut := gridOf(int64(b.Bytes))
	for chunk := range slices.Chunk(a.Offsets, b.lanesPerPass(a)) {
		words := store[:0]
		for _, o := range chunk {
			s := cut.segments(o, int64(a.Width))
			for w := s.first; w <= s.last; w++ {
				words = append(words, bankWord{bank: int32(floorMod(w, int64(b.Count))), word: w})
			}
		}
		passes += mostInOneBank(words)
	}
	return passes
}

// Misaligned reports whether an access is served in turn because a lane's address is no multiple of its width, or of 8
// bytes where that is less.
func (b Banks) Misaligned(a *idg.Access) bool {
	return b.Unaligned > 0 && int(a.Width) > b.Bytes &&
		slices.ContainsFunc(a.Offsets, func(o int64) bool { return o%min(int64(a.Width), 8) != 0 })
}

// lanesPerPass is the largest power of two of lanes, at most Lanes, whose words
// fit into one row of banks, or twice as many where pairs count as one.
func (b Banks) lanesPerPass(a *idg.Access) int {
	lanes := b.Lanes
	for lanes > 1 && lanes*int(a.Width) > b.Count*b.Bytes {
		lanes = (lanes + 1) / 2
	}
	if lanes < b.Lanes && b.Pairing == 2 && !a.Store && len(a.Offsets) == b.Lanes && (paired(a.Offsets, 1) ||
		paired(a.Offsets, 2)) {
		lanes *= 2
	}
	return lanes
}

// paired reports whether every lane n of a whole warp has the address of lane
// n xor bit.
func paired(offsets []int64, bit int) bool {
	for n, o := range offsets {
		if n^bit >= len(offsets) || offsets[n^bit] != o {
			return false
		}
	}
	return true
}

// bankWord is a word of local memory and the bank that holds it.
type bankWord struct {
	bank int32
	word int64
}

// mostInOneBank is the largest number of distinct words that share a bank.
func mostInOneBank(words []bankWord) int {
	slices.SortFunc(words, func(x, y bankWord) int {
		return cmp.Or(cmp.Compare(x.bank, y.bank), cmp.Compare(x.word, y.word))
	})
	most, run := 0, 0
	for i, w := range words {
		switch {
		case i > 0 && w == words[i-1]:
			continue
		case i > 0 && w.bank == words[i-1].bank:
			run++
		default:
			run = 1
		}
		most = max(most, run)
	}
	return most
}

func floorMod(a, b int64) int64 {
	m := a % b
	if m < 0 {
		m += b
	}
	return m
}

// distinctAddresses is the number of different addresses of the active lanes.
func distinctAddresses(offsets []int64) int {
	s := slices.Clone(offsets)
	slices.Sort(s)
	return len(slices.Compact(s))
}

// mostAtOneAddress is the largest number of lanes that share an address.
func mostAtOneAddress(offsets []int64) int {
	s := slices.Clone(offsets)
	slices.Sort(s)
	most, run := 0, 0
	for i, o := range s {
		if i > 0 && o == s[i-1] {
			run++
		} else {
			run = 1
		}
		most = max(most, run)
	}
	return most
}
