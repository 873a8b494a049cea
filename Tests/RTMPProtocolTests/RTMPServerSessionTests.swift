import NIOCore
import Testing

@testable import RTMPProtocol

/// Conversations with encoders.
struct RTMPServerSessionTests {
    /// An encoder, and the server that it talks to.
    private struct Encoder {
        var session = RTMPServerSession(
            random: ByteBuffer(repeating: 0x5a, count: RTMPHandshake.randomByteCount))
        private let writer = RTMPChunkWriter()
        private var reader = RTMPChunkReader()

        /// Sends the handshake.
        mutating func greet() throws {
            var hello = ByteBuffer(integer: 3, as: UInt8.self)
            hello.writeRepeatingByte(0x11, count: 1_536)
            #expect(try session.receive(hello) == [])
            let answer = session.takeOutput()
            #expect(answer.readableBytes == 1 + 2 * 1_536 && answer.getInteger(at: 0, as: UInt8.self) == 3)
            #expect(answer.getSlice(at: 1 + 1_536, length: 1_536) == hello.getSlice(at: 1, length: 1_536))
            #expect(try session.receive(ByteBuffer(repeating: 0x22, count: 1_536)) == [])
        }

        mutating func send(_ message: RTMPMessage) throws -> [RTMPEvent] {
            var bytes = ByteBuffer()
            writer.write(message, into: &bytes)
            return try session.receive(bytes)
        }

        mutating func command(_ values: AMF0Value..., in stream: UInt32 = 0) throws -> [RTMPEvent] {
            var payload = ByteBuffer()
            for value in values { payload.write(value) }
            return try send(RTMPMessage(.command, stream: stream, payload: payload))
        }

        /// The messages that the server has sent.
        mutating func answers() throws -> [RTMPMessage] {
            reader.append(session.takeOutput())
            var messages: [RTMPMessage] = []
            while let message = try reader.next() { messages.append(message) }
            return messages
        }

        /// The commands among them.
        mutating func commands() throws -> [[AMF0Value]] {
            try answers().filter { $0.kind == .command }.map { try AMF0Reader.values($0.payload) }
        }

        /// Begins to publish, up to the question whether that may be.
        mutating func publish(_ name: String = "canalA.stream") throws -> [RTMPEvent] {
            try greet()
            _ = try command(.string("connect"), .number(1), .object([.init("app", .string("live"))]))
            session.accept()
            _ = try command(.string("createStream"), .number(4), .null)
            return try command(
                .string("publish"), .number(5), .null, .string(name), .string("live"), in: 1)
        }
    }

    /// The commands that OBS and ffmpeg send, in their order.
    @Test func anEncoderPublishes() throws {
        var encoder = Encoder()
        try encoder.greet()
        let connect = try encoder.command(
            .string("connect"), .number(1),
            .object([
                .init("app", .string("live")), .init("type", .string("nonprivate")),
                .init("flashVer", .string("FMLE/3.0")), .init("tcUrl", .string("rtmp://host/live")),
            ]))
        #expect(
            connect == [
                .connect(RTMPConnect(application: "live", address: "rtmp://host/live", program: "FMLE/3.0"))
            ])
        #expect(try encoder.answers() == [], "nothing is granted before somebody has decided")
        encoder.session.accept()
        let granted = try encoder.answers()
        #expect(granted.map(\.kind) == [.windowAcknowledgementSize, .setPeerBandwidth, .command])
        let result = try AMF0Reader.values(try #require(granted.last).payload)
        #expect(result.first == .string("_result") && result[1] == .number(1))
        #expect(result.last?["code"]?.string == "NetConnection.Connect.Success")

        for (name, transaction) in [("releaseStream", 2.0), ("FCPublish", 3)] {
            #expect(try encoder.command(.string(name), .number(transaction), .null, .string("canalA")) == [])
        }
        #expect(try encoder.command(.string("createStream"), .number(4), .null) == [])
        #expect(try encoder.commands().last == [.string("_result"), .number(4), .null, .number(1)])
        let publish = try encoder.command(
            .string("publish"), .number(5), .null, .string("canalA.stream?user=a"), .string("live"), in: 1)
        #expect(publish == [.publish(stream: 1, name: "canalA.stream?user=a")])
        encoder.session.accept(1)
        let status = try #require(try encoder.commands().last)
        #expect(status.first == .string("onStatus") && status.last?["code"]?.string == "NetStream.Publish.Start")

        var metadata = ByteBuffer()
        for value in [
            AMF0Value.string("@setDataFrame"), .string("onMetaData"), .ecmaArray([.init("width", .number(640))]),
        ] { metadata.write(value) }
        #expect(
            try encoder.send(RTMPMessage(.data, stream: 1, payload: metadata)) == [
                .data(name: "onMetaData", values: [.ecmaArray([.init("width", .number(640))])], timestamp: 0)
            ])
        let picture = ByteBuffer(repeating: 1, count: 5_000)
        #expect(
            try encoder.send(RTMPMessage(.video, timestamp: 40, stream: 1, payload: picture)) == [
                .media(RTMPMedia(isVideo: true, timestamp: 40, payload: picture))
            ])
        #expect(try encoder.send(RTMPMessage(.audio, timestamp: 41, stream: 1, payload: ByteBuffer())) == [])
        #expect(try encoder.command(.string("FCUnpublish"), .number(6), .null, .string("canalA")) == [])
        #expect(
            try encoder.command(.string("deleteStream"), .number(7), .null, .number(1)) == [.end(stream: 1)])
        #expect(try encoder.send(RTMPMessage(.video, stream: 1, payload: picture)) == [], "the stream is gone")
    }

    @Test func aRefusalIsInTheWordsThatEncodersShow() throws {
        var encoder = Encoder()
        #expect(try encoder.publish("nada") == [.publish(stream: 1, name: "nada")])
        encoder.session.refuse(1, "There is no channel nada.")
        let status = try #require(try encoder.commands().last?.last)
        #expect(status["level"]?.string == "error" && status["code"]?.string == "NetStream.Publish.BadName")
        #expect(status["description"]?.string == "There is no channel nada.")
        #expect(try encoder.send(RTMPMessage(.video, stream: 1, payload: ByteBuffer(bytes: [1]))) == [])

        var other = Encoder()
        try other.greet()
        _ = try other.command(.string("connect"), .number(1), .object([.init("app", .string("vod"))]))
        other.session.refuse(nil, "there is no application vod")
        let error = try #require(try other.commands().last)
        #expect(error.first == .string("_error") && error.last?["code"]?.string == "NetConnection.Connect.Rejected")
    }

    @Test func nothingIsTakenBeforeItIsGranted() throws {
        var encoder = Encoder()
        #expect(try encoder.publish().count == 1)
        #expect(try encoder.send(RTMPMessage(.audio, stream: 1, payload: ByteBuffer(bytes: [1]))) == [])
        #expect(
            try encoder.send(RTMPMessage(.video, stream: 1, payload: ByteBuffer(repeating: 1, count: 100_000))) == [])
        // Only publishers may send large messages.
        encoder.session.refuse(1, "no")
        #expect(throws: RTMPError.self) { while try encoder.session.next() != nil {} }
        var early = Encoder()
        try early.greet()
        #expect(throws: RTMPError.self) { try early.command(.string("createStream"), .number(2), .null) }
    }

    /// Two messages in one, whose times are their own.
    @Test func aggregatesAreTakenApart() throws {
        var encoder = Encoder()
        _ = try encoder.publish()
        encoder.session.accept(1)
        func tag(_ type: UInt8, _ time: UInt8, _ payload: [UInt8]) -> [UInt8] {
            [type, 0, 0, UInt8(payload.count), 0, 0, time, 0, 0, 0, 0] + payload + [0, 0, 0, UInt8(11 + payload.count)]
        }
        let bytes = tag(8, 10, [0xaf]) + tag(9, 30, [0x17, 1])
        let events = try encoder.send(
            RTMPMessage(.aggregate, timestamp: 1_000, stream: 1, payload: ByteBuffer(bytes: bytes)))
        #expect(
            events == [
                .media(RTMPMedia(isVideo: false, timestamp: 1_000, payload: ByteBuffer(bytes: [0xaf]))),
                .media(RTMPMedia(isVideo: true, timestamp: 1_020, payload: ByteBuffer(bytes: [0x17, 1]))),
            ])
        #expect(throws: RTMPError.self) {
            try encoder.send(RTMPMessage(.aggregate, stream: 1, payload: ByteBuffer(bytes: bytes.dropLast())))
        }
    }

    @Test func pingsAndWindowsAreAnswered() throws {
        var encoder = Encoder()
        try encoder.greet()
        _ = try encoder.send(RTMPMessage(.windowAcknowledgementSize, payload: ByteBuffer(integer: UInt32(10))))
        var ping = ByteBuffer(integer: 6, as: UInt16.self)
        ping.writeInteger(77, as: UInt32.self)
        _ = try encoder.send(RTMPMessage(.userControl, payload: ping))
        let answers = try encoder.answers()
        let pong = try #require(answers.first { $0.kind == .userControl }).payload
        #expect(Array(pong.readableBytesView) == [0, 7, 0, 0, 0, 77])
        #expect(answers.contains { $0.kind == .acknowledgement })
    }

    @Test func aStreamThatIsEndedSaysWhy() throws {
        var encoder = Encoder()
        _ = try encoder.publish()
        encoder.session.accept(1)
        _ = try encoder.answers()
        encoder.session.end(1, "Somebody else publishes.")
        #expect(try encoder.commands().last?.last?["description"]?.string == "Somebody else publishes.")
    }

    @Test func streamsAreLimited() throws {
        var encoder = Encoder()
        _ = try encoder.publish()
        encoder.session.accept(1)
        for _ in 1..<RTMPServerSession.maximumStreamCount {
            _ = try encoder.command(.string("createStream"), .number(9), .null)
        }
        #expect(throws: RTMPError.self) { try encoder.command(.string("createStream"), .number(9), .null) }
    }

    /// HTTP on this port, and a handshake that comes byte by byte.
    @Test func theHandshakeIsReadAsItComes() throws {
        var session = RTMPServerSession(random: ByteBuffer(repeating: 1, count: RTMPHandshake.randomByteCount))
        #expect(throws: RTMPError("the version of RTMP is 71, not 3")) {
            try session.receive(ByteBuffer(string: "GET / HTTP/1.1\r\n"))
        }
        var slow = RTMPServerSession(random: ByteBuffer(repeating: 1, count: RTMPHandshake.randomByteCount))
        for byte in [UInt8(3)] + [UInt8](repeating: 9, count: 2 * 1_536) {
            #expect(try slow.receive(ByteBuffer(bytes: [byte])) == [])
        }
        #expect(slow.takeOutput().readableBytes == 1 + 2 * 1_536)
        var bytes = ByteBuffer()
        bytes.write(.string("connect"))
        bytes.write(.number(1))
        bytes.write(.object([.init("app", .string("live"))]))
        var chunks = ByteBuffer()
        RTMPChunkWriter().write(RTMPMessage(.command, payload: bytes), into: &chunks)
        #expect(try slow.receive(chunks).count == 1)
    }

    /// Commands and media that come without waiting for an answer are taken one after the other.
    @Test func whatComesBeforeAnAnswerWaitsForIt() throws {
        var encoder = Encoder()
        try encoder.greet()
        var bytes = ByteBuffer()
        let writer = RTMPChunkWriter()
        func write(_ stream: UInt32, _ values: AMF0Value...) {
            var payload = ByteBuffer()
            for value in values { payload.write(value) }
            writer.write(RTMPMessage(.command, stream: stream, payload: payload), into: &bytes)
        }
        write(0, .string("connect"), .number(1), .object([.init("app", .string("live"))]))
        write(0, .string("createStream"), .number(2), .null)
        write(1, .string("publish"), .number(3), .null, .string("canalA"), .string("live"))
        writer.write(
            RTMPMessage(.audio, timestamp: 7, stream: 1, payload: ByteBuffer(bytes: [0xAF, 1, 9])), into: &bytes)
        let first = try encoder.session.receive(bytes)
        #expect(first.count == 1 && encoder.session.isAwaitingAnswer)
        encoder.session.accept()
        #expect(try encoder.session.next() == .publish(stream: 1, name: "canalA"))
        #expect(try encoder.session.next() == nil)
        encoder.session.accept(1)
        guard case .media(let media)? = try encoder.session.next() else {
            Issue.record("the audio is lost")
            return
        }
        #expect(media.timestamp == 7 && !media.isVideo)
        #expect(try encoder.session.next() == nil)
    }
}
