package ctypes

import "testing"

func TestParseNumber(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"3000000000", "3000000000l"}, {"0x80000000", "2147483648u"}, {"0xFEL", "254l"}, {"1'000'000", "1000000"},
		{"0xabcdef", "11259375"},
		{"1e5", "100000.0"}, {".5f", "0.5f"}, {"2.", "2.0"}, {"0x1p3f", "8.0f"}, {"1E-3F", "0.001f"}, {"1.5L", "1.5"},
	} {
		if v, problem := ParseNumber(c.text); problem != "" || v.String() != c.want {
			t.Errorf("%s = %v %s, want %s", c.text, v, problem, c.want)
		}
	}
	for _, bad := range []string{"1.5h", "08", "1e", "12abc", "1_km", "0x"} {
		if v, problem := ParseNumber(bad); problem == "" {
			t.Errorf("%s = %v", bad, v)
		}
	}
}

func TestParseInt(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"0", "0"}, {"42", "42"}, {"2147483647", "2147483647"}, {"2147483648", "2147483648l"},
		{"4294967296", "4294967296l"}, {"9223372036854775808", "9223372036854775808ul"},
		{"0x7fffffff", "2147483647"}, {"0x80000000", "2147483648u"}, {"0xFFFFFFFF", "4294967295u"},
		{"0x100000000", "4294967296l"}, {"0x8000000000000000", "9223372036854775808ul"},
		{"010", "8"}, {"037777777777", "4294967295u"}, {"0b101", "5"},
		{"1u", "1u"}, {"1U", "1u"}, {"4294967296u", "4294967296ul"}, {"1l", "1l"}, {"1L", "1l"}, {"1ul", "1ul"},
		{"1LU", "1ul"},
		{"1ll", "1l"}, {"1ULL", "1ul"}, {"0xfUL", "15ul"},
	} {
		v, problem := ParseInt(c.text)
		if problem != "" || v.String() != c.want {
			t.Errorf("%s = %v %s, want %s", c.text, v, problem, c.want)
		}
	}
	for _, bad := range []string{"08", "1uu", "1lll", "0x", "18446744073709551616", "0b2", "1f", "\x8c\x83UU>J"} {
		if v, problem := ParseInt(bad); problem == "" {
			t.Errorf("%s is accepted as %v", bad, v)
		}
	}
}

func TestParseFloat(t *testing.T) {
	for _, c := range []struct {
		text   string
		single bool
		want   string
	}{
		{"1.0", false, "1.0"}, {"1.0", true, "1.0f"}, {"1.0f", false, "1.0f"}, {"1.F", false, "1.0f"},
		{".5", false, "0.5"}, {"1e3", false, "1000.0"},
		{"1E-3f", false, "0.001f"}, {"1.5h", false, "1.5h"}, {"0.1h", false, "0.099975586h"}, {"1.0l", false, "1.0"},
		{"0x1p3", false, "8.0"}, {"0x1.8p1f", false, "3.0f"}, {"0x1.fp0", false, "1.9375"},
		{"3.402823466e+38f", false, "3.4028235e+38f"}, {"1e39f", false, "+Inff"}, {"1e-46f", false, "0.0f"},
		// Rounded once to float: through double it would be 1.00000012.
		{"1.00000005960464477540f", false, "1.0000001f"},
	} {
		v, problem := ParseFloat(c.text, c.single)
		if problem != "" || v.String() != c.want {
			t.Errorf("%s = %v %s, want %s", c.text, v, problem, c.want)
		}
	}
	for _, bad := range []string{"1_0.0", "1.0x", "0x1.8"} {
		if v, problem := ParseFloat(bad, false); problem == "" {
			t.Errorf("%s is accepted as %v", bad, v)
		}
	}
}

func TestParseChar(t *testing.T) {
	for text, want := range map[string]int64{
		`'a'`: 'a', `'\n'`: 10, `'\0'`: 0, `'\''`: '\'', `'\\'`: '\\', `'\x41'`: 'A', `'\xff'`: -1, `'\377'`: -1,
		`'\101'`: 'A', `'ab'`: 'a'<<8 | 'b',
	} {
		if v, problem := ParseChar(text); problem != "" || v.Int != want || v.Type.Kind != Int {
			t.Errorf("%s = %v %s, want %d", text, v, problem, want)
		}
	}
	for _, bad := range []string{`''`, `'\q'`, `'\x'`, `'abcde'`, `'`} {
		if v, problem := ParseChar(bad); problem == "" {
			t.Errorf("%s is accepted as %v", bad, v)
		}
	}
}
