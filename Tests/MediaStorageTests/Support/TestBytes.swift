/// Bytes whose content tells where they come from, so that a wrong offset shows.
func testBytes(_ range: Range<Int64>) -> [UInt8] {
    range.map { UInt8(truncatingIfNeeded: $0 &* 0x9E37_79B1 >> 13) }
}
