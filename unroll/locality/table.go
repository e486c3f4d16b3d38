package locality

// table holds what is known of each sector that the group has touched.
type table struct {
	words int // of the set of warps of each sector
	index map[pageKey]*page
	pages []*page // in the order of their first touch
	last  struct {
		key  pageKey
		page *page
	}
}

const pageSectors = 64

type pageKey struct {
	buffer BufferID
	number int64 // sector / pageSectors
}

// page is pageSectors neighbouring sectors of a buffer.
type page struct {
	key  pageKey
	time [pageSectors]uint32 // of the last touch, from 1; 0 = not touched
	seen []uint64            // the warps that touched each sector: words for each
}

func newTable(warps int) *table {
	return &table{words: (warps + 63) / 64, index: map[pageKey]*page{}}
}

// at returns the page of a sector and the sector's place in it.
func (t *table) at(buffer BufferID, sector int64) (*page, int) {
	key := pageKey{buffer, floorDiv(sector, pageSectors)}
	i := int(sector - key.number*pageSectors)
	if t.last.page != nil && t.last.key == key {
		return t.last.page, i
	}
	p := t.index[key]
	if p == nil {
		p = &page{key: key, seen: make([]uint64, pageSectors*t.words)}
		t.index[key] = p
		t.pages = append(t.pages, p)
	}
	t.last.key, t.last.page = key, p
	return p, i
}

// find returns where a sector is if something is known of its page.
func (t *table) find(buffer BufferID, sector int64) (*page, int) {
	number := floorDiv(sector, pageSectors)
	return t.index[pageKey{buffer, number}], int(sector - number*pageSectors)
}

// warps is the set of warps that have touched the sector at place i of a page.
func (t *table) warps(p *page, i int) []uint64 { return p.seen[i*t.words : (i+1)*t.words] }

// mark notes that a warp touches the sector at place i of a page and reports
// whether it did before.
func (t *table) mark(p *page, i, warp int) bool {
	w := &p.seen[i*t.words+warp/64]
	bit := uint64(1) << (warp % 64)
	before := *w&bit != 0
	*w |= bit
	return before
}
