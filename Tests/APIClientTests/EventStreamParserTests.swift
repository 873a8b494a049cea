import Testing

@testable import APIClient

struct EventStreamParserTests {
    private static let text = """
        retry: 2000

        id: 7
        event: channel.up
        data: {"id":"7"}

        :

        event: missed
        data: {}

        id: 9
        data:x

        """

    /// However the connection divides the stream.
    @Test(arguments: [1, 2, 7, 1_000]) func eventsComeOutOfAnyPieces(size: Int) throws {
        var parser = EventStreamParser()
        var events: [EventStreamParser.Event] = []
        var rest = Array("\(Self.text)\n".utf8)[...]
        while !rest.isEmpty {
            let piece = parser.take(rest.prefix(size))
            events += try #require(piece)
            rest = rest.dropFirst(size)
        }
        #expect(
            events == [
                .init(id: "7", type: "channel.up", data: #"{"id":"7"}"#), .init(id: "7", type: "missed", data: "{}"),
                .init(id: "9", type: "", data: "x"),
            ])
        #expect(parser.lastID == "9")
    }

    @Test func aLineWithoutEndIsRefused() {
        var parser = EventStreamParser()
        let longest = parser.take(Array(repeating: UInt8(ascii: "a"), count: EventStreamParser.maximumLineByteCount))
        #expect(longest == [])
        let longer = parser.take([UInt8(ascii: "a")])
        #expect(longer == nil)
    }
}
