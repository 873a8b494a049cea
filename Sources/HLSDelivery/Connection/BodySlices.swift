import NIOCore

/// A body in memory as a sequence of slices that share its storage.
struct BodySlices: Sendable {
    private var pieces: ArraySlice<ByteBuffer>

    init(_ body: [ByteBuffer]) { pieces = body[...] }

    /// The next slice; `nil` at the end.
    mutating func next() -> ByteBuffer? {
        while let index = pieces.indices.first {
            let slice = pieces[index].readSlice(length: min(pieces[index].readableBytes, FileTransfer.pieceByteCount))
            if pieces[index].readableBytes == 0 { pieces.removeFirst() }
            if let slice, slice.readableBytes > 0 { return slice }
        }
        return nil
    }
}
