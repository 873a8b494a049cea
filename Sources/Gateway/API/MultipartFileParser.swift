import Foundation
import NIOCore

/// Takes the one file out of a `multipart/form-data` body (RFC 7578), piece by piece as it comes.
struct MultipartFileParser {
    enum Event: Equatable {
        /// The file begins; as the client calls it.
        case name(String)
        case bytes(ByteBuffer)
        /// The body has come to its end, and held one file.
        case end
    }

    /// A body that is no form, or no form for a file.
    struct Failure: Error, Hashable, CustomStringConvertible {
        var description: String

        init(_ description: String) { self.description = description }
    }

    private enum State {
        /// In front of the first part, or in one that is no file.
        case skipping
        /// Behind a delimiter.
        case boundary
        case headers
        case file
        case ended
    }

    /// RFC 2046 §5.1.1.
    static let maximumBoundaryByteCount = 70
    /// Of one part: a name and a media type.
    static let maximumHeaderByteCount = 4_096
    /// Of fields that are no file, all together; forms have a few words beside it.
    static let maximumSkippedByteCount = 16_384

    private let delimiter: [UInt8]
    private var buffer = ByteBuffer()
    private var state = State.skipping
    private var hasFile = false
    private var skippedByteCount = 0

    /// - Parameter contentType: the body's; `nil` is returned for one that is no form, or has no usable boundary.
    init?(contentType: String) {
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
        // The first delimiter may stand at the very beginning, where no line ends in front of it.
        buffer.writeString("\r\n")
    }

    mutating func append(_ piece: ByteBuffer) {
        buffer.discardReadBytes()
        buffer.writeImmutableBuffer(piece)
    }

    /// - Returns: `nil` where more has to come first.
    /// - Throws: ``Failure``
    mutating func next() throws(Failure) -> Event? {
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
                guard hasFile else { throw Failure("the form contains no file") }
                return .end
            }
        }
    }

    // MARK: Parts

    private mutating func skip() throws(Failure) -> Bool {
        let found = delimiterOffset()
        let count = found ?? max(0, buffer.readableBytes - delimiter.count + 1)
        buffer.moveReaderIndex(forwardBy: count)
        skippedByteCount += count
        guard skippedByteCount <= Self.maximumSkippedByteCount else {
            throw Failure(
                "fields of the form other than the file are limited to \(Self.maximumSkippedByteCount >> 10) KiB")
        }
        if found != nil { enterBoundary() }
        return found != nil
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

    /// - Returns: the file's name; `nil` for a field, or where no file was chosen.
    private mutating func begin(_ headers: String) throws(Failure) -> String? {
        state = .skipping
        let name = headers.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-disposition:") }
            .flatMap { HTTPMediaFetcher.fileName(inDisposition: String($0)) }
        guard let name, !name.isEmpty else { return nil }
        guard !hasFile else { throw Failure("the form contains more than one file; send each in a request of its own") }
        hasFile = true
        state = .file
        return name
    }

    /// - Returns: `nil` where the file ends here, or more has to come first.
    private mutating func readFile() -> ByteBuffer? {
        if let offset = delimiterOffset() {
            if offset > 0 { return buffer.readSlice(length: offset) }
            enterBoundary()
            return nil
        }
        let count = buffer.readableBytes - delimiter.count + 1
        return count > 0 ? buffer.readSlice(length: count) : nil
    }

    /// Where the next delimiter begins, from the reader's place on.
    private func delimiterOffset() -> Int? {
        buffer.withUnsafeReadableBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var offset = 0
            // Few bytes of a film are a carriage return, so that most of it is passed over by memchr(3).
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
