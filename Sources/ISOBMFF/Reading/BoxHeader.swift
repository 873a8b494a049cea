package import MediaCore
package import NIOCore

/// A box header (ISO/IEC 14496-12 §4.2) and its position in the file.
package struct BoxHeader: Sendable, Hashable {
    package var type: FourCC
    /// Offset of the header's first byte from the start of the file.
    package var offset: Int64
    /// Size of the header in bytes: 8, or 16 with a 64-bit size.
    package var headerByteCount: Int
    /// Size of header and payload in bytes.
    package var byteCount: Int64

    /// The offset of the first byte after the header, from the start of the file.
    package var payloadOffset: Int64 { offset + Int64(headerByteCount) }
    /// The size of the payload in bytes.
    package var payloadByteCount: Int64 { byteCount - Int64(headerByteCount) }
    /// The offset of the first byte after the box, from the start of the file.
    package var endOffset: Int64 { offset + byteCount }

    /// Size in bytes of the longest header.
    static let maximumHeaderByteCount = 16

    init(type: FourCC, offset: Int64, headerByteCount: Int, byteCount: Int64) {
        self.type = type
        self.offset = offset
        self.headerByteCount = headerByteCount
        self.byteCount = byteCount
    }

    /// Parses a header at the front of `buffer`, which is not consumed.
    ///
    /// - Parameters:
    ///   - buffer: at least the header's bytes.
    ///   - offset: the buffer's position in the file.
    ///   - end: end of the enclosing box or of the file; a size of zero means "up to there".
    /// - Throws: ``ISOBMFFError`` if the header is cut off or its size is impossible.
    package init(parsing buffer: ByteBuffer, at offset: Int64, enclosedBy end: Int64) throws(ISOBMFFError) {
        guard let size = buffer.getInteger(at: buffer.readerIndex, as: UInt32.self),
            let type = buffer.getInteger(at: buffer.readerIndex + 4, as: UInt32.self)
        else {
            throw ISOBMFFError(.truncated, at: offset, "the file ends in the middle of a box header")
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
                .invalid, box: self.type, at: offset, "the size of \(byteCount) bytes is smaller than the header")
        }
        guard byteCount <= end - offset else {
            throw ISOBMFFError(
                .truncated, box: self.type, at: offset,
                "the file ends early: the box has \(byteCount) bytes, of which \(end - offset) are there; copy the file again"
            )
        }
    }
}
