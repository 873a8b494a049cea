package import MediaCore
package import NIOCore

/// A box's header (ISO/IEC 14496-12 §4.2) and where in the file it stands.
package struct BoxHeader: Sendable, Hashable {
    package var type: FourCC
    /// Of the header's first byte, from the start of the file.
    package var offset: Int64
    /// 8, or 16 with a 64-bit size.
    package var headerByteCount: Int
    /// Header and payload.
    package var byteCount: Int64

    package var payloadOffset: Int64 { offset + Int64(headerByteCount) }
    package var payloadByteCount: Int64 { byteCount - Int64(headerByteCount) }
    package var endOffset: Int64 { offset + byteCount }

    /// As many bytes as the longest header has.
    static let maximumHeaderByteCount = 16

    /// Reads a header from the front of `buffer`, which it does not consume.
    ///
    /// - Parameters:
    ///   - offset: the buffer's place in the file.
    ///   - end: where the enclosing box or the file ends; a size of zero means "up to there".
    /// - Throws: where the header is cut off, or the size is impossible.
    package init(parsing buffer: ByteBuffer, at offset: Int64, enclosedBy end: Int64) throws(ISOBMFFError) {
        guard let size = buffer.getInteger(at: buffer.readerIndex, as: UInt32.self),
            let type = buffer.getInteger(at: buffer.readerIndex + 4, as: UInt32.self)
        else {
            throw ISOBMFFError(.truncated, at: offset, "a box header is cut off")
        }
        self.type = FourCC(rawValue: type)
        self.offset = offset
        headerByteCount = 8
        switch size {
        case 0:
            byteCount = end - offset
        case 1:
            guard let large = buffer.getInteger(at: buffer.readerIndex + 8, as: UInt64.self) else {
                throw ISOBMFFError(.truncated, box: self.type, at: offset, "the 64-bit size is cut off")
            }
            headerByteCount = 16
            byteCount = Int64(clamping: large)
        default:
            byteCount = Int64(size)
        }
        guard byteCount >= Int64(headerByteCount) else {
            throw ISOBMFFError(
                .invalid, box: self.type, at: offset, "a size of \(byteCount) bytes is smaller than its header")
        }
        guard byteCount <= end - offset else {
            throw ISOBMFFError(
                .truncated, box: self.type, at: offset,
                "claims \(byteCount) bytes where only \(end - offset) are left")
        }
    }
}

/// A box held in memory, payload first: what parsers of single boxes work on.
struct Box {
    var header: BoxHeader
    /// Without header.
    var payload: ByteBuffer

    var type: FourCC { header.type }

    /// The boxes directly inside.
    ///
    /// - Parameter skippedByteCount: fields that stand before the first child, such as those of a sample entry.
    func children(skipping skippedByteCount: Int = 0) throws(ISOBMFFError) -> [Box] {
        var rest = payload
        guard rest.readSlice(length: skippedByteCount) != nil else {
            throw invalid("ends before its first child")
        }
        var children: [Box] = []
        let end = header.endOffset
        // QuickTime ends some lists with a 32-bit zero, which is no box (QTFF, "User data").
        while rest.readableBytes >= 8 {
            guard children.count < Self.maximumChildCount else {
                throw ISOBMFFError(
                    .limitExceeded, box: type, at: header.offset, "more than \(Self.maximumChildCount) boxes inside")
            }
            let offset = end - Int64(rest.readableBytes)
            let child = try BoxHeader(parsing: rest, at: offset, enclosedBy: end)
            guard rest.readSlice(length: child.headerByteCount) != nil,
                let payload = rest.readSlice(length: Int(child.payloadByteCount))
            else {
                throw invalid("a child is cut off")
            }
            children.append(Box(header: child, payload: payload))
        }
        return children
    }

    /// Version and flags of a full box (§4.2), then the rest of the payload.
    func fullBox() throws(ISOBMFFError) -> (version: UInt8, flags: UInt32, rest: ByteBuffer) {
        var rest = payload
        guard let word = rest.readInteger(as: UInt32.self) else { throw invalid("ends before its version") }
        return (UInt8(truncatingIfNeeded: word >> 24), word & 0xFF_FFFF, rest)
    }

    func invalid(_ reason: String) -> ISOBMFFError {
        ISOBMFFError(.invalid, box: type, at: header.offset, reason)
    }

    /// Far above any real container box; sample tables are arrays inside one box, not boxes.
    static let maximumChildCount = 4_096
}

extension [Box] {
    func first(_ type: FourCC) -> Box? { first { $0.type == type } }

    /// - Throws: naming the parent, where there is none.
    func required(_ type: FourCC, in parent: Box) throws(ISOBMFFError) -> Box {
        guard let box = first(type) else { throw parent.invalid("has no '\(type)' inside") }
        return box
    }
}

extension ByteBuffer {
    /// Consumes one big-endian integer.
    mutating func readField<T: FixedWidthInteger>(_ type: T.Type, of box: Box) throws(ISOBMFFError) -> T {
        guard let value = readInteger(as: type) else { throw box.invalid("ends too early") }
        return value
    }

    mutating func skipField(_ byteCount: Int, of box: Box) throws(ISOBMFFError) {
        guard byteCount >= 0, byteCount <= readableBytes else { throw box.invalid("ends too early") }
        moveReaderIndex(forwardBy: byteCount)
    }
}
