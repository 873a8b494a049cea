/// Positions of samples in their file: four bytes each if the file is smaller than 4 GiB, otherwise eight.
package struct SampleOffsets: Sendable, Hashable {
    private var narrow: [UInt32] = []
    /// Replaces `narrow` as soon as an offset does not fit into 32 bits.
    private var wide: [Int64] = []

    package init() {}

    /// Memory use of the offsets in bytes.
    package var memoryByteCount: Int { narrow.count * 4 + wide.count * 8 }

    init(_ narrow: [UInt32]) { self.narrow = narrow }

    init(_ wide: [Int64]) { self.wide = wide }

    /// - Parameter offset: a position in the file that is not negative.
    mutating func append(_ offset: Int64) {
        if wide.isEmpty, offset <= UInt32.max {
            narrow.append(UInt32(offset))
        } else {
            if !narrow.isEmpty {
                wide.append(contentsOf: narrow.lazy.map(Int64.init))
                narrow = []
            }
            wide.append(offset)
        }
    }
}

extension SampleOffsets: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { wide.isEmpty ? narrow.count : wide.count }
    /// The offset of a sample's first byte from the start of the file. Traps if `index` is out of bounds.
    package subscript(index: Int) -> Int64 { wide.isEmpty ? Int64(narrow[index]) : wide[index] }
}
