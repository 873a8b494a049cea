/// Follows the frames of an HTTP/2 client (RFC 9113 §4.1) as far as is needed to say how many bytes a decoder has to
/// keep: those of a header block until its end (§4.3), and those of any other frame until it is complete. DATA is
/// passed on as it arrives.
struct HeldFrameBytes {
    private enum Kind {
        static let data: UInt8 = 0
        static let headers: UInt8 = 1
        static let continuation: UInt8 = 9
    }

    private static let prefaceByteCount = 24
    private static let headByteCount = 9
    /// The flag END_HEADERS.
    private static let endHeaders: UInt8 = 4

    private var prefaceLeft = prefaceByteCount
    private var head: [UInt8] = []
    /// Bytes of the current frame's payload that have not come.
    private var payloadLeft = 0
    private var payloadHeld = 0
    private var blockByteCount = 0
    private var isInBlock = false

    /// Bytes that the decoder keeps.
    var byteCount: Int { blockByteCount + payloadHeld + (head.isEmpty ? 0 : head.count) }

    /// Takes the next bytes of the connection.
    mutating func receive(_ bytes: some RandomAccessCollection<UInt8>) {
        var rest = bytes[...]
        let preface = min(prefaceLeft, rest.count)
        prefaceLeft -= preface
        rest = rest.dropFirst(preface)
        while !rest.isEmpty {
            if payloadLeft == 0 {
                let missing = min(Self.headByteCount - head.count, rest.count)
                head += rest.prefix(missing)
                rest = rest.dropFirst(missing)
                guard head.count == Self.headByteCount else { return }
                payloadLeft = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            }
            let count = min(payloadLeft, rest.count)
            payloadLeft -= count
            rest = rest.dropFirst(count)
            if head[3] != Kind.data { payloadHeld += count }
            if payloadLeft == 0 { endFrame() }
        }
    }

    private mutating func endFrame() {
        if head[3] == Kind.headers || head[3] == Kind.continuation {
            isInBlock = head[4] & Self.endHeaders == 0
            blockByteCount = isInBlock ? blockByteCount + payloadHeld : 0
        }
        payloadHeld = 0
        head.removeAll(keepingCapacity: true)
    }
}
