/// Parses server-sent events (HTML Standard §9.2.6), as far as this server sends them: lines end with a line feed, and
/// an event has one line of data.
package struct EventStreamParser {
    /// An event of the stream.
    package struct Event: Sendable, Hashable {
        /// The last ID that the stream has named; `nil` before the first.
        package var id: String?
        package var type: String
        package var data: String
    }

    /// Limit of a line; events of the server have less.
    package static let maximumLineByteCount = 64 * 1_024

    /// The last ID that the stream has named.
    package private(set) var lastID: String?
    private var line: [UInt8] = []
    private var type = ""
    private var data: String?

    package init() {}

    /// Takes bytes of the stream.
    ///
    /// - Returns: the events that are complete now; `nil` if a line is longer than ``maximumLineByteCount``.
    package mutating func take(_ bytes: some Sequence<UInt8>) -> [Event]? {
        var events: [Event] = []
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                guard line.count <= Self.maximumLineByteCount else { return nil }
                continue
            }
            if let event = endLine() { events.append(event) }
            line.removeAll(keepingCapacity: true)
        }
        return events
    }

    private mutating func endLine() -> Event? {
        guard !line.isEmpty else {
            defer { (type, data) = ("", nil) }
            return data.map { Event(id: lastID, type: type, data: $0) }
        }
        let text = String(decoding: line, as: UTF8.self)
        let name = text.prefix { $0 != ":" }
        let value = String(text[name.endIndex...].dropFirst().trimmingPrefix(" "))
        switch name {
        case "id": lastID = value
        case "event": type = value
        case "data": data = value
        default: break
        }
        return nil
    }
}
