package import NIOCore

/// Splits a connection's data into elements.
///
/// Lines are consumed as soon as they are complete, so that a peer that sends byte by byte causes no extra work.
package struct RTSPMessageParser {
    package let limits: RTSPMessageLimits
    private var state = State.betweenMessages

    private enum State {
        case betweenMessages
        case head(MessageHead)
        case body(MessageHead, byteCount: Int)
    }

    package init(limits: RTSPMessageLimits = .standard) { self.limits = limits }

    /// Parses the next element and consumes its bytes. Returns `nil` if more bytes are needed; the bytes left in
    /// `buffer` must then be at the front of the next call's buffer.
    package mutating func next(from buffer: inout ByteBuffer) throws(RTSPParsingError) -> RTSPElement? {
        while true {
            switch state {
            case .betweenMessages:
                if buffer.getInteger(at: buffer.readerIndex) == InterleavedFrame.marker {
                    return readFrame(&buffer).map(RTSPElement.interleavedFrame)
                }
                guard let line = try readLine(&buffer) else { return nil }
                // Skips blank lines between messages: libstreaming sends an extra one after SETUP and RECORD.
                guard !line.isEmpty else { continue }
                state = .head(try MessageHead(startLine: line))
            case .head(var head):
                // Releases the state's copy of the head, so that adding a line does not copy it.
                state = .betweenMessages
                let line: String?
                do { line = try readLine(&buffer) } catch { throw error }
                guard let line else {
                    state = .head(head)
                    return nil
                }
                if line.isEmpty {
                    state = .body(head, byteCount: try head.bodyByteCount(limits: limits))
                } else {
                    try head.addHeaderLine(line, limits: limits)
                    if head.isTeardownOfLibstreaming && buffer.readableBytes == 0 {
                        return head.element(body: ByteBuffer())
                    }
                    state = .head(head)
                }
            case .body(let head, let byteCount):
                guard let body = buffer.readSlice(length: byteCount) else { return nil }
                state = .betweenMessages
                return head.element(body: body)
            }
        }
    }

    /// The request whose head was cut off by the end of the connection; `nil` if it is not usable. libstreaming ends
    /// TEARDOWN without the blank line and closes the connection.
    package mutating func finish(with rest: inout ByteBuffer) -> RTSPRequest? {
        guard case .head(var head) = state else { return nil }
        state = .betweenMessages
        if let text = rest.readString(length: min(rest.readableBytes, limits.maximumLineByteCount)) {
            try? head.addHeaderLine(trimmingWhitespace(text), limits: limits)
        }
        guard case .request(let request) = head.element(body: ByteBuffer()) else { return nil }
        return request
    }

    /// Number of bytes that must follow `tail`, the bytes that ``next(from:)`` did not consume, before parsing can
    /// proceed; `nil` if it depends on their content. With it, a caller can complete a frame that was split between
    /// two reads without copying the whole second read.
    package func missingByteCount(after tail: ByteBuffer) -> Int? {
        guard case .betweenMessages = state, tail.getInteger(at: tail.readerIndex) == InterleavedFrame.marker else {
            return nil
        }
        guard let length = tail.getInteger(at: tail.readerIndex + 2, as: UInt16.self) else {
            return InterleavedFrame.headerByteCount - tail.readableBytes
        }
        return InterleavedFrame.headerByteCount + Int(length) - tail.readableBytes
    }

    private func readFrame(_ buffer: inout ByteBuffer) -> InterleavedFrame? {
        guard let channel = buffer.getInteger(at: buffer.readerIndex + 1, as: UInt8.self),
            let length = buffer.getInteger(at: buffer.readerIndex + 2, as: UInt16.self),
            buffer.readableBytes >= InterleavedFrame.headerByteCount + Int(length)
        else { return nil }
        buffer.moveReaderIndex(forwardBy: InterleavedFrame.headerByteCount)
        return buffer.readSlice(length: Int(length)).map { InterleavedFrame(channel: channel, payload: $0) }
    }

    /// Reads a line without its end (CRLF or LF); `nil` if it is not complete.
    private func readLine(_ buffer: inout ByteBuffer) throws(RTSPParsingError) -> String? {
        let view = buffer.readableBytesView.prefix(limits.maximumLineByteCount + 2)
        guard let end = view.firstIndex(of: UInt8(ascii: "\n")) else {
            guard view.count <= limits.maximumLineByteCount else {
                throw RTSPParsingError(.lineTooLong, "a line has more than \(limits.maximumLineByteCount) bytes")
            }
            return nil
        }
        var line = view[view.startIndex..<end]
        if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
        let text = String(decoding: line, as: UTF8.self)
        buffer.moveReaderIndex(forwardBy: end - view.startIndex + 1)
        return text
    }
}
