import Foundation
package import NIOCore

/// Extracts the single file of a `multipart/form-data` body (RFC 7578) incrementally, and the fields beside it.
package struct MultipartFileParser {
    /// An event of the parser.
    package enum Event: Equatable {
        /// The file begins; the value is its name as the client sent it.
        case name(String)
        /// The next bytes of the file.
        case bytes(ByteBuffer)
        /// The body has ended and contained one file.
        case end
    }

    /// The body is not a valid form with a file.
    package struct Failure: Error, Hashable, CustomStringConvertible {
        package var description: String

        package init(_ description: String) { self.description = description }
    }

    private enum State {
        /// The parser is before the first part, or inside a part that is not a file.
        case skipping
        /// The parser has just read a delimiter.
        case boundary
        case headers
        case file
        case ended
    }

    /// The limit of RFC 2046 §5.1.1.
    static let maximumBoundaryByteCount = 70
    /// Limit of the headers of one part, which hold a name and a media type.
    static let maximumHeaderByteCount = 4_096
    /// Limit of all fields that are not the file together; a form has a few words besides the file.
    static let maximumSkippedByteCount = 16_384

    private let delimiter: [UInt8]
    private var buffer = ByteBuffer()
    private var state = State.skipping
    private var hasFile = false
    /// The values of the fields that are not files and have ended.
    package private(set) var fields: [String: String] = [:]
    /// The field whose value is being read; `nil` for a part without a name.
    private var field: (name: String, value: [UInt8])?
    private var skippedByteCount = 0

    /// Returns `nil` if the type is not `multipart/form-data` or has no usable boundary.
    ///
    /// - Parameter contentType: the `Content-Type` of the body.
    package init?(contentType: String) {
        let parts = contentType.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        guard parts.first?.lowercased() == "multipart/form-data" else { return nil }
        let parameter = parts.first { $0.lowercased().hasPrefix("boundary=") }
        guard var boundary = parameter?.dropFirst("boundary=".count) else { return nil }
        if boundary.hasPrefix("\""), boundary.hasSuffix("\""), boundary.count > 2 {
            boundary = boundary.dropFirst().dropLast()
        }
        guard (1...Self.maximumBoundaryByteCount).contains(boundary.utf8.count),
            boundary.utf8.allSatisfy({ (0x20..<0x7F).contains($0) })
        else { return nil }
        delimiter = Array("\r\n--\(boundary)".utf8)
        // The first delimiter may be the first thing in the body, without a line end before it.
        buffer.writeString("\r\n")
    }

    /// Adds the next piece of the body.
    package mutating func append(_ piece: ByteBuffer) {
        buffer.discardReadBytes()
        buffer.writeImmutableBuffer(piece)
    }

    /// The next event; `nil` if more bytes are needed.
    ///
    /// - Parameter requiringFile: whether a form without a file is an error.
    /// - Throws: ``Failure``
    package mutating func next(requiringFile: Bool = true) throws(Failure) -> Event? {
        while true {
            switch state {
            case .skipping: guard try skip() else { return nil }
            case .boundary: guard try readBoundaryEnd() else { return nil }
            case .headers:
                guard let headers = try readHeaders() else { return nil }
                if let name = try begin(headers) { return .name(name) }
            case .file:
                guard let bytes = readFile() else {
                    guard state == .boundary else { return nil }
                    continue
                }
                return .bytes(bytes)
            case .ended:
                guard hasFile || !requiringFile else { throw Failure("the form contains no file") }
                return .end
            }
        }
    }

    // MARK: Parts

    private mutating func skip() throws(Failure) -> Bool {
        let found = delimiterOffset()
        let count = found ?? max(0, buffer.readableBytes - delimiter.count + 1)
        let bytes = buffer.readBytes(length: count) ?? []
        field?.value += bytes
        skippedByteCount += count
        guard skippedByteCount <= Self.maximumSkippedByteCount else {
            throw Failure(
                "fields of the form other than the file are limited to \(Self.maximumSkippedByteCount >> 10) KiB")
        }
        if found != nil {
            endField()
            enterBoundary()
        }
        return found != nil
    }

    private mutating func endField() {
        if let field { fields[field.name] = String(decoding: field.value, as: UTF8.self) }
        field = nil
    }

    private mutating func enterBoundary() {
        buffer.moveReaderIndex(forwardBy: delimiter.count)
        state = .boundary
    }

    private mutating func readBoundaryEnd() throws(Failure) -> Bool {
        guard let end = buffer.readBytes(length: 2) else { return false }
        switch end {
        case Array("--".utf8): state = .ended
        case Array("\r\n".utf8): state = .headers
        default: throw Failure("a boundary of the form is not followed by a line end")
        }
        return true
    }

    private mutating func readHeaders() throws(Failure) -> String? {
        let view = buffer.readableBytesView.prefix(Self.maximumHeaderByteCount)
        guard let end = view.firstRange(of: Array("\r\n\r\n".utf8)) else {
            guard buffer.readableBytes < Self.maximumHeaderByteCount else {
                throw Failure("headers of a part of the form are limited to \(Self.maximumHeaderByteCount) bytes")
            }
            return nil
        }
        let text = String(decoding: view[..<end.lowerBound], as: UTF8.self)
        buffer.moveReaderIndex(to: end.upperBound)
        return text
    }

    /// - Returns: the file's name; `nil` if the part is a field, or if no file was chosen.
    private mutating func begin(_ headers: String) throws(Failure) -> String? {
        state = .skipping
        let disposition = headers.split(separator: "\r\n").first {
            $0.lowercased().hasPrefix("content-disposition:")
        }.map(String.init)
        let name = disposition.flatMap { ContentDisposition.fileName(in: $0) }
        guard let name, !name.isEmpty else {
            // A file field in which no file was chosen has an empty file name.
            field = name == nil ? disposition.flatMap { ContentDisposition.name(in: $0) }.map { ($0, []) } : nil
            return nil
        }
        guard !hasFile else { throw Failure("the form contains more than one file; send each in a request of its own") }
        hasFile = true
        state = .file
        return name
    }

    /// - Returns: `nil` if the file ends here or more bytes are needed.
    private mutating func readFile() -> ByteBuffer? {
        if let offset = delimiterOffset() {
            if offset > 0 { return buffer.readSlice(length: offset) }
            enterBoundary()
            return nil
        }
        let count = buffer.readableBytes - delimiter.count + 1
        return count > 0 ? buffer.readSlice(length: count) : nil
    }

    /// Offset of the next delimiter from the reader index; `nil` if there is none yet.
    private func delimiterOffset() -> Int? {
        buffer.withUnsafeReadableBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var offset = 0
            // Carriage returns are rare in media, so memchr(3) skips most bytes.
            while bytes.count - offset >= delimiter.count,
                let found = memchr(base + offset, Int32(delimiter[0]), bytes.count - offset - delimiter.count + 1)
            {
                offset = found - UnsafeMutableRawPointer(mutating: base)
                if memcmp(base + offset, delimiter, delimiter.count) == 0 { return offset }
                offset += 1
            }
            return nil
        }
    }
}
