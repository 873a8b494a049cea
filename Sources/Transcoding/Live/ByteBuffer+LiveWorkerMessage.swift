import NIOCore

extension ByteBuffer {
    mutating func writeSets(_ sets: [[UInt8]]) {
        for set in sets {
            writeInteger(UInt32(clamping: set.count))
            writeBytes(set)
        }
    }

    /// Reads non-empty runs of bytes, each preceded by its length in four bytes, to the end; returns `nil` if they are
    /// damaged.
    mutating func readSets(maximumCount: Int) -> [ByteBuffer]? {
        var sets: [ByteBuffer] = []
        while readableBytes > 0 {
            guard sets.count < maximumCount, let length: UInt32 = readInteger(), length > 0,
                let set = readSlice(length: Int(length))
            else { return nil }
            sets.append(set)
        }
        return sets
    }
}
