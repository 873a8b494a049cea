import Events
import HTTPEndpoints
import NIOCore

/// Events as listeners of a crowd are sent them: each is a chunk of its own (RFC 9112 §7.1), so that one that has seen
/// some of them is sent the rest of the same bytes.
struct EventPayload: Sendable {
    private let bytes: ByteBuffer
    /// The place of each event, in their order.
    private let starts: [(number: Int64, offset: Int)]
    /// The number of the last event that those who have been sent this have seen or may not be told of.
    let last: Int64

    static let heartbeat = chunks([ServerSentEvents.heartbeat])
    /// The end of the response.
    static let end = ByteBuffer(string: "0\r\n\r\n")

    /// - Parameters:
    ///   - events: the events in their order.
    ///   - last: the number up to which these are all the events that the listeners may be told of.
    ///   - hasGap: whether events before them are gone.
    init(_ events: [Event], through last: Int64, hasGap: Bool = false) {
        var starts: [(Int64, Int)] = []
        var bytes = hasGap ? Self.chunks([ServerSentEvents.missed]) : ByteBuffer()
        for event in events {
            // What is said before the first event goes with it.
            starts.append((event.number, starts.isEmpty ? 0 : bytes.writerIndex))
            Self.append(event.text, to: &bytes)
        }
        (self.bytes, self.starts, self.last) = (bytes, starts, last)
    }

    /// The events after a number, `nil` if there are none. All listeners share the bytes.
    func bytes(after number: Int64) -> ByteBuffer? {
        guard number < last else { return nil }
        guard let first = starts.first else { return bytes.readableBytes > 0 ? bytes : nil }
        if number < first.number { return bytes }
        guard let start = starts.first(where: { $0.number > number })?.offset else { return nil }
        return bytes.getSlice(at: start, length: bytes.writerIndex - start)
    }

    private static func chunks(_ texts: [String]) -> ByteBuffer {
        var bytes = ByteBuffer()
        for text in texts { append(text, to: &bytes) }
        return bytes
    }

    private static func append(_ text: String, to bytes: inout ByteBuffer) {
        bytes.writeString("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n")
    }
}
