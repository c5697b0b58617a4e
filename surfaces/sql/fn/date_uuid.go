package fn

import (
	"encoding/binary"

	"github.com/polyglove/polyglove/surfaces/sql/pgerr"
	"github.com/polyglove/polyglove/surfaces/sql/pgtype"
)

// uuidTimeKernels read what a UUID of RFC 9562 tells of itself; NULL where it is of
// another variant or, for the time, not of version 1.
func uuidTimeKernels() map[string]Kernel {
	return map[string]Kernel{
		"uuid_extract_version": UnaryNull(func(_ *Env, u string) (Opt[int64], *pgerr.Error) {
			version, ok := uuidVersion(u)
			return Opt[int64]{Value: version, Null: !ok}, nil
		}),
		"uuid_extract_timestamp": UnaryNull(func(_ *Env, u string) (Opt[int64], *pgerr.Error) {
			if version, ok := uuidVersion(u); !ok || version != 1 {
				return None[int64](), nil
			}
			return Some(pgtype.TimestampOfUUID(uuidTicks(u))), nil
		}),
	}
}

func uuidVersion(u string) (version int64, ok bool) { return int64(u[6] >> 4), u[8]&0xC0 == 0x80 }

// uuidTicks gives the 60 bits of the time, in units of 100 nanoseconds since the
// Gregorian calendar began.
func uuidTicks(u string) int64 {
	b := []byte(u[:8])
	low, middle, high := binary.BigEndian.Uint32(b), binary.BigEndian.Uint16(b[4:]), binary.BigEndian.Uint16(b[6:])
	return int64(high&0x0FFF)<<48 | int64(middle)<<32 | int64(low)
}
