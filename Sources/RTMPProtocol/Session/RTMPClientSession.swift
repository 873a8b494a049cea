package import NIOCore

/// The client's side of a connection that publishes or plays one stream, as a state machine without input and output:
/// bytes come in, events and bytes come out (Adobe, "RTMP 1.0", 2012, §7).
package struct RTMPClientSession: Sendable {
    /// The use of the stream.
    package enum Purpose: Sendable, Hashable {
        case publishing, playing
    }

    /// The request that waits for an answer.
    private enum State {
        case hello, echo
        case connecting, creating, starting
        case running
        case isOver
    }

    private static let version: UInt8 = 3
    private static let handshakeByteCount = 1_536
    private static let chunkByteCount = 4_096
    private static let window: UInt32 = 2_500_000
    /// Transactions, which answers name.
    private enum Transaction {
        static let connect = 1.0
        static let release = 2.0
        static let publishing = 3.0
        static let create = 4.0
        static let start = 5.0
    }

    private let purpose: Purpose
    private let application: String
    private let name: String
    private let address: String
    private var state = State.hello
    private var greeting = ByteBuffer()
    private var reader = RTMPChunkReader()
    private var writer = RTMPChunkWriter()
    private var output = ByteBuffer()
    private var stream: UInt32 = 0
    private var receivedByteCount: UInt32 = 0
    private var acknowledgedByteCount: UInt32 = 0
    private var acknowledgementWindow = Self.window

    /// - Parameters:
    ///   - purpose: the use of the stream.
    ///   - application: the application, such as `live`.
    ///   - name: the name of the stream.
    ///   - address: the address without the name, such as `rtmp://host/live`.
    ///   - random: `RTMPHandshake.randomByteCount` random bytes.
    package init(_ purpose: Purpose, application: String, name: String, address: String, random: ByteBuffer) {
        (self.purpose, self.application, self.name, self.address) = (purpose, application, name, address)
        output.writeInteger(Self.version)
        output.writeRepeatingByte(0, count: Self.handshakeByteCount - RTMPHandshake.randomByteCount)
        output.writeImmutableBuffer(random)
        if purpose == .playing { reader.limits = .publishing }
    }

    /// The bytes to send since the last call.
    package mutating func takeOutput() -> ByteBuffer {
        defer { output = ByteBuffer() }
        return output
    }

    // MARK: Receiving

    /// Takes bytes from the server.
    ///
    /// - Throws: `RTMPError`, after which the connection has to end.
    package mutating func receive(_ bytes: ByteBuffer) throws(RTMPError) -> [RTMPClientEvent] {
        receivedByteCount &+= UInt32(truncatingIfNeeded: bytes.readableBytes)
        if state == .hello || state == .echo {
            greeting.writeImmutableBuffer(bytes)
            try takeGreeting()
            guard state != .hello, state != .echo else { return [] }
            reader.append(greeting)
            greeting = ByteBuffer()
        } else {
            reader.append(bytes)
        }
        var events: [RTMPClientEvent] = []
        while state != .isOver, let message = try reader.next() { try take(message, &events) }
        acknowledge()
        return events
    }

    private mutating func takeGreeting() throws(RTMPError) {
        if state == .hello, let version = greeting.getInteger(at: greeting.readerIndex, as: UInt8.self) {
            guard version == Self.version else { throw RTMPError("the version of RTMP is \(version), not 3") }
            guard greeting.readableBytes >= 1 + Self.handshakeByteCount,
                var hello = greeting.readSlice(length: 1 + Self.handshakeByteCount)
            else { return }
            hello.moveReaderIndex(forwardBy: 1)
            output.writeImmutableBuffer(hello)
            state = .echo
        }
        guard state == .echo, greeting.readableBytes >= Self.handshakeByteCount else { return }
        greeting.moveReaderIndex(forwardBy: Self.handshakeByteCount)
        state = .connecting
        writer.setChunkSize(Self.chunkByteCount, into: &output)
        command(
            "connect", Transaction.connect,
            .object([
                .init("app", .string(application)), .init("type", .string("nonprivate")),
                .init("flashVer", .string("FMLE/3.0 (compatible; Antena)")), .init("tcUrl", .string(address)),
            ]))
    }

    private mutating func take(_ message: RTMPMessage, _ events: inout [RTMPClientEvent]) throws(RTMPError) {
        switch message.kind {
        case .windowAcknowledgementSize:
            let size = message.payload.getInteger(at: message.payload.readerIndex, as: UInt32.self) ?? 0
            acknowledgementWindow = max(1, size)
        case .userControl: if let pong = RTMPMessage.pong(to: message.payload) { writer.write(pong, into: &output) }
        case .command: try take(try AMF0Reader.values(message.payload), &events)
        case .commandAMF3:
            try take(try AMF0Reader.values(RTMPMediaMessages.afterFormat(message.payload)), &events)
        case .audio, .video, .data, .dataAMF3, .aggregate:
            guard purpose == .playing, state == .running else { return }
            var content: [RTMPEvent] = []
            if message.kind == .aggregate {
                try RTMPMediaMessages.takeAggregate(message, &content)
            } else {
                try RTMPMediaMessages.take(message, &content)
            }
            events += content.map { .content($0) }
        case .setChunkSize, .abort, .acknowledgement, .setPeerBandwidth, nil: break
        }
    }

    private mutating func take(_ values: [AMF0Value], _ events: inout [RTMPClientEvent]) throws(RTMPError) {
        guard let name = values.first?.string else { throw RTMPError("a command has no name") }
        let transaction = values.dropFirst().first?.number ?? 0
        switch name {
        case "_result":
            if state == .connecting, transaction == Transaction.connect { create() }
            if state == .creating, transaction == Transaction.create { try start(values.dropFirst(3).first?.number) }
        case "_error":
            // Servers that do not know the courtesies of publishers refuse them.
            guard [Transaction.connect, Transaction.create].contains(transaction) else { return }
            fail(Self.words(values.dropFirst(3).first), &events)
        case "onStatus": takeStatus(values.dropFirst(3).first, &events)
        case "close": fail("the server has closed the connection", &events)
        default: break
        }
    }

    private mutating func takeStatus(_ information: AMF0Value?, _ events: inout [RTMPClientEvent]) {
        let code = information?["code"]?.string ?? ""
        if information?["level"]?.string == "error" { return fail(Self.words(information), &events) }
        switch code {
        case "NetStream.Publish.Start", "NetStream.Play.Start":
            guard state == .starting else { return }
            state = .running
            events.append(.started)
        case "NetStream.Play.Stop", "NetStream.Play.UnpublishNotify", "NetStream.Unpublish.Success",
            "NetStream.Play.Complete":
            guard state == .running else { return }
            state = .isOver
            events.append(.ended(Self.words(information)))
        default: break
        }
    }

    private mutating func fail(_ words: String, _ events: inout [RTMPClientEvent]) {
        let wasRunning = state == .running
        state = .isOver
        events.append(wasRunning ? .ended(words) : .refused(words))
    }

    private static func words(_ information: AMF0Value?) -> String {
        information?["description"]?.string ?? information?["code"]?.string ?? "the server does not say why"
    }

    // MARK: Commands

    private mutating func create() {
        state = .creating
        send(.windowAcknowledgementSize, ByteBuffer(integer: Self.window))
        if purpose == .publishing {
            command("releaseStream", Transaction.release, .null, .string(name))
            command("FCPublish", Transaction.publishing, .null, .string(name))
        }
        command("createStream", Transaction.create, .null)
    }

    private mutating func start(_ number: Double?) throws(RTMPError) {
        guard let number, let stream = UInt32(exactly: number) else { throw RTMPError("a stream has no number") }
        self.stream = stream
        state = .starting
        switch purpose {
        case .publishing:
            command("publish", Transaction.start, .null, .string(name), .string("live"), in: stream)
        case .playing:
            // -2000: the live stream alone.
            command("play", Transaction.start, .null, .string(name), .number(-2_000), in: stream)
            var length = ByteBuffer(integer: 3, as: UInt16.self)
            length.writeInteger(stream)
            length.writeInteger(Self.bufferMilliseconds)
            send(.userControl, length)
        }
    }

    /// The buffer that servers are told of, in milliseconds.
    private static let bufferMilliseconds: UInt32 = 300

    /// Ends the stream.
    package mutating func end() {
        guard state == .running else { return }
        state = .isOver
        if purpose == .publishing { command("FCUnpublish", 6, .null, .string(name)) }
        command("deleteStream", 7, .null, .number(Double(stream)))
    }

    // MARK: Media

    /// Sends a tag of the stream that is published.
    package mutating func send(_ media: RTMPMedia) {
        guard purpose == .publishing, state == .running else { return }
        writer.write(
            RTMPMessage(
                media.isVideo ? .video : .audio, timestamp: media.timestamp, stream: stream, payload: media.payload),
            into: &output)
    }

    /// Sends metadata of the stream that is published.
    ///
    /// - Parameter fields: the fields of `onMetaData`.
    package mutating func send(metadata fields: [AMF0Value.Property]) {
        guard purpose == .publishing, state == .running else { return }
        var payload = ByteBuffer()
        for value in [AMF0Value.string("@setDataFrame"), .string("onMetaData"), .ecmaArray(fields)] {
            payload.write(value)
        }
        send(.data, payload, in: stream)
    }

    // MARK: Output

    private mutating func send(_ kind: RTMPMessage.Kind, _ payload: ByteBuffer, in stream: UInt32 = 0) {
        writer.write(RTMPMessage(kind, stream: stream, payload: payload), into: &output)
    }

    private mutating func command(
        _ name: String, _ transaction: Double, _ values: AMF0Value..., in stream: UInt32 = 0
    ) {
        writer.write(.command(name, transaction, values, in: stream), into: &output)
    }

    private mutating func acknowledge() {
        guard state != .hello, state != .echo,
            receivedByteCount &- acknowledgedByteCount >= acknowledgementWindow
        else { return }
        acknowledgedByteCount = receivedByteCount
        send(.acknowledgement, ByteBuffer(integer: receivedByteCount))
    }
}
