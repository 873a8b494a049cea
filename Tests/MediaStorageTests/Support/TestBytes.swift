/// Bytes whose content tells where they come from, so that a wrong offset shows.
func testBytes(_ range: Range<Int64>) -> [UInt8] {
    // A loop over pointers, because tests ask for megabytes and debug builds are slow.
    Array(unsafeUninitializedCapacity: range.count) { buffer, count in
        var number = range.lowerBound
        while number < range.upperBound {
            buffer[count] = UInt8(truncatingIfNeeded: number &* 0x9E37_79B1 >> 13)
            (number, count) = (number &+ 1, count &+ 1)
        }
    }
}
