package import NIOCore

/// What one connection carries: messages, and binary frames between them.
package enum RTSPElement: Hashable, Sendable {
    case request(RTSPRequest)
    case response(RTSPResponse)
    case interleavedFrame(InterleavedFrame)
}

/// RFC 2326 §10.12: `$`, the channel, a 16-bit length, the packet.
package struct InterleavedFrame: Hashable, Sendable {
    package var channel: UInt8
    /// A slice of the buffer that was parsed: no copy.
    package var payload: ByteBuffer

    package init(channel: UInt8, payload: ByteBuffer) {
        self.channel = channel
        self.payload = payload
    }

    package static let headerByteCount = 4

    package func write(into buffer: inout ByteBuffer) {
        buffer.writeInteger(InterleavedFrame.marker)
        buffer.writeInteger(channel)
        buffer.writeInteger(UInt16(clamping: payload.readableBytes))
        buffer.writeImmutableBuffer(payload)
    }

    static let marker = UInt8(ascii: "$")
}

/// Takes a connection's bytes apart.
///
/// Lines are consumed as they complete, so that a peer that sends byte by byte costs no more than its bytes.
package struct RTSPMessageParser {
    package let limits: RTSPMessageLimits
    private var state = State.betweenMessages

    private enum State {
        case betweenMessages
        case head(MessageHead)
        case body(MessageHead, byteCount: Int)
    }

    package init(limits: RTSPMessageLimits = .standard) { self.limits = limits }

    /// The next element; consumes what it used of `buffer`. `nil` is "need more bytes": what is left in `buffer` must
    /// come first in the next call's.
    package mutating func next(from buffer: inout ByteBuffer) throws(RTSPParsingError) -> RTSPElement? {
        while true {
            switch state {
            case .betweenMessages:
                if buffer.getInteger(at: buffer.readerIndex) == InterleavedFrame.marker {
                    return readFrame(&buffer).map(RTSPElement.interleavedFrame)
                }
                guard let line = try readLine(&buffer) else { return nil }
                // Blank lines between messages: libstreaming sends one too many after SETUP and RECORD.
                guard !line.isEmpty else { continue }
                state = .head(try MessageHead(startLine: line))
            case .head(var head):
                // The head must not be held twice while it grows.
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

    /// The request whose head was cut short by the end of the connection, where enough of it came to act on:
    /// libstreaming ends TEARDOWN without the blank line and closes.
    package mutating func finish(with rest: inout ByteBuffer) -> RTSPRequest? {
        guard case .head(var head) = state else { return nil }
        state = .betweenMessages
        if let text = rest.readString(length: min(rest.readableBytes, limits.maximumLineByteCount)) {
            try? head.addHeaderLine(trimmingWhitespace(text), limits: limits)
        }
        guard case .request(let request) = head.element(body: ByteBuffer()) else { return nil }
        return request
    }

    /// How many bytes `tail`, what ``next(from:)`` left over, lacks before it can tell more; `nil` where that depends
    /// on content. Lets a caller complete a frame that two reads split without copying all of the second.
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

    /// A line without its end, CRLF or LF.
    private func readLine(_ buffer: inout ByteBuffer) throws(RTSPParsingError) -> String? {
        let view = buffer.readableBytesView.prefix(limits.maximumLineByteCount + 2)
        guard let end = view.firstIndex(of: UInt8(ascii: "\n")) else {
            guard view.count <= limits.maximumLineByteCount else {
                throw RTSPParsingError(.lineTooLong, "a line of more than \(limits.maximumLineByteCount) bytes")
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
