import MediaCore
import NIOCore

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
