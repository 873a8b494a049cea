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

    package var payloadOffset: Int64 { offset + Int64(headerByteCount) }
    package var payloadByteCount: Int64 { byteCount - Int64(headerByteCount) }
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

/// A box whose payload is in memory or is read from the file on demand.
struct Box: Sendable {
    var header: BoxHeader
    private let contents: Contents

    private enum Contents {
        case memory(ByteBuffer)
        /// A payload that is read on demand. A film's `moov` has megabytes of sample tables; holding them while they
        /// are expanded would double the memory in use.
        case file(any RandomAccessData)
    }

    init(header: BoxHeader, payload: ByteBuffer) {
        self.header = header
        contents = .memory(payload)
    }

    init(header: BoxHeader, in file: any RandomAccessData) {
        self.header = header
        contents = .file(file)
    }

    var type: FourCC { header.type }

    /// Boxes that contain nothing but boxes, whose children can be read one by one.
    private static let containers: Set<FourCC> = ["moov", "trak", "mdia", "minf", "stbl"]
    /// Size limit in bytes for a box that is read as a whole, which applies to all boxes but sample tables.
    static let maximumPayloadByteCount: Int64 = 16 << 20
    /// Limit on child boxes, far above any real container. Sample tables are arrays inside one box, not boxes.
    static let maximumChildCount = 4_096

    /// The bytes after the header.
    func payload() throws(ISOBMFFError) -> ByteBuffer {
        if case .memory(let payload) = contents { return payload }
        guard header.payloadByteCount <= Self.maximumPayloadByteCount else {
            throw ISOBMFFError(
                .limitExceeded, box: type, at: header.offset,
                "the box has \(header.byteCount) bytes; the limit is \(Self.maximumPayloadByteCount)")
        }
        return try bytes(at: 0, count: Int(header.payloadByteCount))
    }

    /// A range of the payload.
    ///
    /// - Parameters:
    ///   - offset: start of the range, from the payload's start.
    ///   - count: length of the range. Throws if the range is not within the payload.
    func bytes(at offset: Int, count: Int) throws(ISOBMFFError) -> ByteBuffer {
        switch contents {
        case .memory(let payload):
            guard let slice = payload.getSlice(at: payload.readerIndex + offset, length: count) else {
                throw invalid("ends too early")
            }
            return slice
        case .file(let file):
            guard Int64(offset) + Int64(count) <= header.payloadByteCount else { throw invalid("ends too early") }
            do {
                return try file.read(at: header.payloadOffset + Int64(offset), count: count)
            } catch {
                throw ISOBMFFError(.unreadable, box: type, at: header.offset, "\(error)")
            }
        }
    }

    /// The boxes directly inside this one.
    ///
    /// - Parameter skippedByteCount: size of the fields before the first child, such as those of a sample entry.
    func children(skipping skippedByteCount: Int = 0) throws(ISOBMFFError) -> [Box] {
        if case .file(let file) = contents, skippedByteCount == 0, Self.containers.contains(type) {
            return try children { (offset: Int) throws(ISOBMFFError) in
                let available = Int(header.payloadByteCount) - offset
                let bytes = try bytes(at: offset, count: min(available, BoxHeader.maximumHeaderByteCount))
                return Box(header: try childHeader(parsing: bytes, at: offset), in: file)
            }
        }
        let payload = try payload()
        return try children(from: skippedByteCount) { (offset: Int) throws(ISOBMFFError) in
            guard
                let rest = payload.getSlice(
                    at: payload.readerIndex + offset, length: payload.readableBytes - offset)
            else { throw invalid("ends before its first child") }
            let header = try childHeader(parsing: rest, at: offset)
            guard
                let payload = rest.getSlice(
                    at: rest.readerIndex + header.headerByteCount, length: Int(header.payloadByteCount))
            else { throw invalid("a child is cut off") }
            return Box(header: header, payload: payload)
        }
    }

    private func children(
        from firstOffset: Int = 0, read: (Int) throws(ISOBMFFError) -> Box
    ) throws(ISOBMFFError) -> [Box] {
        let byteCount = payloadByteCount
        guard firstOffset <= byteCount else { throw invalid("ends before its first child") }
        var children: [Box] = []
        var offset = firstOffset
        // QuickTime ends some lists with a 32-bit zero, which is not a box (QTFF, "User data").
        while byteCount - offset >= 8 {
            guard children.count < Self.maximumChildCount else {
                throw ISOBMFFError(
                    .limitExceeded, box: type, at: header.offset,
                    "it contains more than \(Self.maximumChildCount) boxes")
            }
            let child = try read(offset)
            children.append(child)
            offset += Int(child.header.byteCount)
        }
        return children
    }

    /// - Parameter offset: position of the child, from the payload's start.
    private func childHeader(parsing bytes: ByteBuffer, at offset: Int) throws(ISOBMFFError) -> BoxHeader {
        let end = header.endOffset
        return try BoxHeader(parsing: bytes, at: end - Int64(payloadByteCount - offset), enclosedBy: end)
    }

    /// Size of the payload in bytes. Smaller than the header states if this is a part of a box, such as `stsd` after
    /// its first fields.
    var payloadByteCount: Int {
        if case .memory(let payload) = contents { payload.readableBytes } else { Int(header.payloadByteCount) }
    }

    /// Version and flags of a full box (ISO/IEC 14496-12 §4.2), and the rest of the payload.
    func fullBox() throws(ISOBMFFError) -> (version: UInt8, flags: UInt32, rest: ByteBuffer) {
        var rest = try payload()
        guard let word = rest.readInteger(as: UInt32.self) else { throw invalid("ends before its version") }
        return (UInt8(truncatingIfNeeded: word >> 24), word & 0xFF_FFFF, rest)
    }

    func invalid(_ reason: String) -> ISOBMFFError {
        ISOBMFFError(.invalid, box: type, at: header.offset, reason)
    }
}

extension [Box] {
    func first(_ type: FourCC) -> Box? { first { $0.type == type } }

    /// - Throws: ``ISOBMFFError`` that names the parent if there is no such child.
    func required(_ type: FourCC, in parent: Box) throws(ISOBMFFError) -> Box {
        guard let box = first(type) else { throw parent.invalid("has no '\(type)' inside") }
        return box
    }
}

extension ByteBuffer {
    /// Consumes one big-endian integer; throws if the box ends before it.
    mutating func readField<T: FixedWidthInteger>(_ type: T.Type, of box: Box) throws(ISOBMFFError) -> T {
        guard let value = readInteger(as: type) else { throw box.invalid("ends too early") }
        return value
    }

    mutating func skipField(_ byteCount: Int, of box: Box) throws(ISOBMFFError) {
        guard byteCount >= 0, byteCount <= readableBytes else { throw box.invalid("ends too early") }
        moveReaderIndex(forwardBy: byteCount)
    }
}
