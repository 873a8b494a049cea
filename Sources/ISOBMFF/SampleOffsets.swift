/// Where samples lie in their file: four bytes each where the file has less than four gigabytes, otherwise eight.
package struct SampleOffsets: Sendable, Hashable {
    private var narrow: [UInt32] = []
    /// Used instead of `narrow` from the first offset on that does not fit there.
    private var wide: [Int64] = []

    package init() {}

    package var memoryByteCount: Int { narrow.count * 4 + wide.count * 8 }

    init(_ narrow: [UInt32]) { self.narrow = narrow }

    init(_ wide: [Int64]) { self.wide = wide }

    /// - Parameter offset: not negative.
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
    package subscript(index: Int) -> Int64 { wide.isEmpty ? Int64(narrow[index]) : wide[index] }
}
