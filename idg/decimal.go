package idg

import (
	"encoding/binary"
	"math/bits"
	"strconv"
)

// Numbers of up to eight digits, as nearly all of a document are, are written and read
// a word at a time: a loop over the digits ends where a processor does not foresee it.

const zeroDigits = 0x3030_3030_3030_3030 // "00000000"

// appendCount appends a number that is not negative.
func appendCount(b []byte, n uint64) []byte {
	if n >= 1e8 {
		return strconv.AppendUint(b, n, 10)
	}
	text, length := digits(uint32(n))
	return binary.LittleEndian.AppendUint64(b, text)[:len(b)+length]
}

// digits returns the text of a number below 10^8, the first digit in the lowest byte,
// and its length. The word is split into parts of four, two and one digits; quotients
// are products with rounded reciprocals, exact for so few digits.
func digits(n uint32) (text uint64, length int) {
	q := uint64(n / 10_000)
	x := uint64(n)<<32 - q*(10_000<<32-1) // q, and the rest in the upper half
	q = x * 10_486 >> 20 & 0x7F_0000_007F // 10,486 / 2^20 is 1/100 for 0 to 9,999
	x = x<<16 - q*(100<<16-1)
	q = x * 103 >> 10 & 0x0F_000F_000F_000F // 103 / 2^10 is 1/10 for 0 to 99
	x = x<<8 - q*(10<<8-1)
	zeros := bits.TrailingZeros64(x|1<<56) &^ 7 // bits of leading ones, but for the last digit
	return (x | zeroDigits) >> zeros, 8 - zeros/8
}

// positive reads a number of at most 15 digits from b[i:] and returns it with the
// index behind it. It returns 0 for anything that it does not read, as no
// number in an instruction's line is 0, but the first instruction's.
func positive(b []byte, i int) (uint64, int) {
	if i+8 <= len(b) {
		if n, length := number(binary.LittleEndian.Uint64(b[i:])); length < 8 {
			if b[i] == '0' {
				n = 0
			}
			return n, i + length
		}
	}
	return positiveDigits(b, i)
}

// number reads the digits at the beginning of a word, the first in its lowest byte, and
// returns their number and how many there are; if there are none, 0.
func number(text uint64) (n uint64, length int) {
	x := text ^ zeroDigits // digits are 0 to 9 now, all else is more
	other := (x&0x7F7F_7F7F_7F7F_7F7F + 0x7676_7676_7676_7676 | x) & 0x8080_8080_8080_8080
	length = bits.TrailingZeros64(other) / 8
	x <<= 64 - 8*length // zeros before the digits
	x = x*10 + x>>8     // pairs, in every second byte
	x = x & 0x00FF_00FF_00FF_00FF
	x = x*100 + x>>16 // fours
	x = x & 0x0000_FFFF_0000_FFFF
	return uint64(uint32(x*10_000 + x>>32)), length
}

// positiveDigits is positive, digit by digit.
func positiveDigits(b []byte, i int) (uint64, int) {
	start := i
	var n uint64
	for i < len(b) && b[i]-'0' < 10 && i-start < 15 {
		n = n*10 + uint64(b[i]-'0')
		i++
	}
	if i == start || b[start] == '0' {
		return 0, i
	}
	return n, i
}
