package preprocess

import "strconv"

// packs executes #pragma pack: the classes behind it have the alignment that its number allows to members. The names
// that gcc takes behind push and pop are not needed where each pop undoes one push.
func (p *Preprocessor) packs() {
	var kept []uint8
	pack := uint8(0)
	for i := range p.out.Tokens {
		switch t := &p.out.Tokens[i]; {
		case t.Kind == Pragma && len(t.Args) > 2 && t.Args[0].Is("pack"):
			args := t.Args[2:]
			switch {
			case args[0].Is("push"):
				kept = append(kept, pack)
			case args[0].Is("pop") && len(kept) > 0:
				pack, kept = kept[len(kept)-1], kept[:len(kept)-1]
			case args[0].Is(")"):
				pack = 0
			}
			for _, a := range args {
				n, err := strconv.ParseUint(a.Text, 0, 8)
				if err == nil && a.Kind == Number && n <= 16 && n&(n-1) == 0 {
					pack = uint8(n)
				}
			}
		case t.Is("struct") || t.Is("class") || t.Is("union"):
			t.Pack = pack
		}
	}
}
