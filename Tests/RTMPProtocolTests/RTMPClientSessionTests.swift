import NIOCore
import Testing

@testable import RTMPProtocol

/// Both sides of a connection, with one another.
struct RTMPClientSessionTests {
    private static let random = ByteBuffer(repeating: 7, count: RTMPHandshake.randomByteCount)
    private var server = RTMPServerSession(random: Self.random)
    private var client: RTMPClientSession
    private var atServer: [RTMPEvent] = []
    private var atClient: [RTMPClientEvent] = []

    init() { client = Self.client(.publishing) }

    private static func client(_ purpose: RTMPClientSession.Purpose) -> RTMPClientSession {
        RTMPClientSession(
            purpose, application: "live", name: "canalA.stream", address: "rtmp://192.0.2.1/live", random: random)
    }

    /// Takes what both have to say to the other until nothing is left.
    private mutating func exchange() throws {
        while true {
            let (up, down) = (client.takeOutput(), server.takeOutput())
            guard up.readableBytes + down.readableBytes > 0 else { return }
            if up.readableBytes > 0 { atServer += try server.receive(up) }
            if down.readableBytes > 0 { atClient += try client.receive(down) }
        }
    }

    private mutating func connect() throws {
        try exchange()
        #expect(
            atServer == [
                .connect(
                    RTMPConnect(
                        application: "live", address: "rtmp://192.0.2.1/live", program: "FMLE/3.0 (compatible; Antena)")
                )
            ])
        atServer = []
        server.accept()
        try exchange()
    }

    @Test mutating func aPushArrives() throws {
        try connect()
        #expect(atServer == [.publish(stream: 1, name: "canalA.stream")])
        server.accept(1)
        try exchange()
        #expect(atClient == [.started])
        let media = RTMPMedia(isVideo: true, timestamp: 40, payload: ByteBuffer(bytes: [0x17, 1, 0, 0, 0, 1, 2, 3]))
        client.send(metadata: [.init("width", .number(1_280))])
        client.send(media)
        atServer = []
        try exchange()
        #expect(
            atServer == [
                .data(name: "onMetaData", values: [.ecmaArray([.init("width", .number(1_280))])], timestamp: 0),
                .media(media),
            ])
        client.end()
        atServer = []
        try exchange()
        #expect(atServer == [.end(stream: 1)])
    }

    @Test mutating func aStreamIsPlayed() throws {
        client = Self.client(.playing)
        try connect()
        #expect(atServer == [.play(stream: 1, name: "canalA.stream")])
        server.accept(1)
        let media = RTMPMedia(isVideo: false, timestamp: 80, payload: ByteBuffer(bytes: [0xAF, 1, 9]))
        server.send(media, in: 1)
        server.end(1, "over")
        try exchange()
        #expect(atClient == [.started, .content(.media(media)), .ended("over")])
    }

    @Test mutating func refusalsAreInTheWordsOfTheServer() throws {
        try exchange()
        server.refuse(nil, "no such application")
        try exchange()
        #expect(atClient == [.refused("no such application")])
        self = RTMPClientSessionTests()
        try connect()
        server.refuse(1, "the channel already has a publisher")
        try exchange()
        #expect(atClient == [.refused("the channel already has a publisher")])
    }

    @Test mutating func anotherProtocolIsAnError() {
        #expect(throws: RTMPError.self) { try client.receive(ByteBuffer(string: "HTTP/1.1 400 Bad Request\r\n")) }
    }
}
