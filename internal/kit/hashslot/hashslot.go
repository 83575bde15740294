// Package hashslot tells in which of the slots of a Redis Cluster a key is.
package hashslot

import (
	"strconv"
	"strings"
)

// Count is the number of slots.
const Count = 16384

// Tags returns the lowest number, in decimal, that lies in each slot. It takes 10 ms.
func Tags() []string {
	tags := make([]string, Count)
	for n, missing := 0, Count; missing > 0; n++ {
		tag := strconv.Itoa(n)
		if slot := crc16(tag) % Count; tags[slot] == "" {
			tags[slot] = tag
			missing--
		}
	}
	return tags
}

// Of returns the slot of a key, by the text in its first braces if there is any.
func Of(key string) int {
	if _, rest, found := strings.Cut(key, "{"); found {
		if tag, _, closed := strings.Cut(rest, "}"); closed && tag != "" {
			key = tag
		}
	}
	return int(crc16(key) % Count)
}

// crc16 is the checksum of Redis Cluster, known as XMODEM.
func crc16(text string) uint16 {
	var crc uint16
	for _, b := range []byte(text) {
		crc ^= uint16(b) << 8
		for range 8 {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
	}
	return crc
}
