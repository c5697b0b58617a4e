package pgcat

// The types that the rules of resolution, or an engine, know by name.
const (
	Bool        OID = 16
	Bytea       OID = 17
	Char        OID = 18 // "char", one byte
	Name        OID = 19
	Int8        OID = 20
	Int2        OID = 21
	Int2Vector  OID = 22
	Int4        OID = 23
	Text        OID = 25
	OIDType     OID = 26
	OIDVector   OID = 30
	JSON        OID = 114
	Float4      OID = 700
	Float8      OID = 701
	Unknown     OID = 705 // a quoted literal or NULL whose type is still open
	TextArray   OID = 1009
	Bpchar      OID = 1042
	Varchar     OID = 1043
	Date        OID = 1082
	Time        OID = 1083
	Timestamp   OID = 1114
	Timestamptz OID = 1184
	Interval    OID = 1186
	Timetz      OID = 1266
	Bit         OID = 1560
	Varbit      OID = 1562
	Numeric     OID = 1700
	Record      OID = 2249
	Cstring     OID = 2275
	Any         OID = 2276
	AnyArray    OID = 2277
	Void        OID = 2278
	AnyElement  OID = 2283
	RecordArray OID = 2287
	AnyNonArray OID = 2776
	UUID        OID = 2950
	AnyEnum     OID = 3500
	JSONB       OID = 3802
	AnyRange    OID = 3831
	JSONPath    OID = 4072

	AnyMultirange           OID = 4537
	AnyCompatibleMultirange OID = 4538
	AnyCompatible           OID = 5077
	AnyCompatibleArray      OID = 5078
	AnyCompatibleNonArray   OID = 5079
	AnyCompatibleRange      OID = 5080
)

// Polymorphic reports whether a declared type stands for whatever is given.
func (o OID) Polymorphic() bool { return o.anyElementFamily() || o.anyCompatibleFamily() }

func (o OID) anyElementFamily() bool {
	switch o {
	case AnyElement, AnyArray, AnyNonArray, AnyEnum, AnyRange, AnyMultirange:
		return true
	}
	return false
}

func (o OID) anyCompatibleFamily() bool {
	switch o {
	case AnyCompatible, AnyCompatibleArray, AnyCompatibleNonArray, AnyCompatibleRange, AnyCompatibleMultirange:
		return true
	}
	return false
}
