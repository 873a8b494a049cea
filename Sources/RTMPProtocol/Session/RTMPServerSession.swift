package import NIOCore

/// The server's side of a connection, as a state machine without input and output: bytes come in, events and bytes come
/// out (Adobe, "RTMP 1.0", 2012, §7).
package struct RTMPServerSession: Sendable {
    /// Message streams that a peer may create; encoders create one.
    package static let maximumStreamCount = 8
    /// Bytes after which a peer acknowledges; the same is promised to it.
    private static let window: UInt32 = 2_500_000
    private static let chunkByteCount = 4_096
    /// The type of limit that a peer may lower (§5.4.5).
    private static let dynamicLimit: UInt8 = 2

    private enum Application {
        case none
        case asked(transaction: Double)
        case accepted
    }

    /// The state of a message stream.
    private enum StreamUse {
        case idle
        case asked(isPublishing: Bool)
        case publishing
        case playing
    }

    private var handshake: RTMPHandshake
    private var reader = RTMPChunkReader()
    private var writer = RTMPChunkWriter()
    private var greeting = ByteBuffer()
    private var output = ByteBuffer()
    private var application = Application.none
    private var streams: [UInt32: StreamUse] = [:]
    /// Events of the last message that were not returned yet; a message holds several if it is an aggregate.
    private var found: ArraySlice<RTMPEvent> = []
    private var lastStream: UInt32 = 0
    private var receivedByteCount: UInt32 = 0
    private var acknowledgedByteCount: UInt32 = 0
    private var acknowledgementWindow = Self.window

    /// - Parameter random: random bytes for the handshake: `RTMPHandshake.randomByteCount`.
    package init(random: ByteBuffer) { handshake = RTMPHandshake(random: random) }

    /// The bytes to send since the last call.
    package mutating func takeOutput() -> ByteBuffer {
        defer { output = ByteBuffer() }
        return output
    }

    /// Takes bytes from the peer, and returns the events in them up to one that has to be answered; see ``next()``.
    package mutating func receive(_ bytes: ByteBuffer) throws(RTMPError) -> [RTMPEvent] {
        try append(bytes)
        var events: [RTMPEvent] = []
        while let event = try next() { events.append(event) }
        return events
    }

    /// Takes bytes from the peer.
    ///
    /// - Throws: `RTMPError`, after which the connection has to end.
    package mutating func append(_ bytes: ByteBuffer) throws(RTMPError) {
        receivedByteCount &+= UInt32(truncatingIfNeeded: bytes.readableBytes)
        guard !handshake.isOver else { return reader.append(bytes) }
        greeting.writeImmutableBuffer(bytes)
        if let answer = try handshake.receive(&greeting) { output.writeImmutableBuffer(answer) }
        guard handshake.isOver else { return }
        reader.append(greeting)
        greeting = ByteBuffer()
    }

    /// The next event in the bytes that were taken. Behind one that has to be answered there is none until it is:
    /// peers may send what they want to do next, and media, without waiting for the answer.
    ///
    /// - Returns: `nil` until more bytes come, or the answer.
    /// - Throws: `RTMPError`, after which the connection has to end.
    package mutating func next() throws(RTMPError) -> RTMPEvent? {
        while found.isEmpty, !isAwaitingAnswer, let message = try reader.next() {
            var events: [RTMPEvent] = []
            try take(message, &events)
            found = events[...]
        }
        acknowledge()
        return found.popFirst()
    }

    /// Whether the peer has asked for something that was neither granted nor refused.
    package var isAwaitingAnswer: Bool {
        if case .asked = application { return true }
        return streams.values.contains { if case .asked = $0 { true } else { false } }
    }

    // MARK: Answers

    /// Grants what the peer has asked for last: the application, or to publish or play in a stream.
    ///
    /// - Parameter stream: the stream of the event; `nil` for the application.
    package mutating func accept(_ stream: UInt32? = nil) {
        if let stream {
            guard case .asked(let isPublishing)? = streams[stream] else { return }
            streams[stream] = isPublishing ? .publishing : .playing
            begin(stream)
            if isPublishing { reader.limits = .publishing }
            status(
                stream, isPublishing ? "NetStream.Publish.Start" : "NetStream.Play.Start", "Started.", isError: false)
        } else {
            guard case .asked(let transaction) = application else { return }
            application = .accepted
            send(.windowAcknowledgementSize, ByteBuffer(integer: Self.window))
            var bandwidth = ByteBuffer(integer: Self.window)
            bandwidth.writeInteger(Self.dynamicLimit)
            send(.setPeerBandwidth, bandwidth)
            writer.setChunkSize(Self.chunkByteCount, into: &output)
            command(
                "_result", transaction,
                .object([.init("fmsVer", .string("FMS/3,0,1,123")), .init("capabilities", .number(31))]),
                Self.information("status", "NetConnection.Connect.Success", "Connection succeeded."))
        }
    }

    /// Refuses what the peer has asked for last.
    ///
    /// - Parameters:
    ///   - stream: the stream of the event; `nil` for the application.
    ///   - reason: words that the encoder shows.
    package mutating func refuse(_ stream: UInt32?, _ reason: String) {
        if let stream {
            guard case .asked(let isPublishing)? = streams[stream] else { return }
            streams[stream] = .idle
            status(
                stream, isPublishing ? "NetStream.Publish.BadName" : "NetStream.Play.StreamNotFound", reason,
                isError: true)
        } else {
            guard case .asked(let transaction) = application else { return }
            application = .none
            command(
                "_error", transaction, .null, Self.information("error", "NetConnection.Connect.Rejected", reason))
        }
    }

    /// Refuses a stream that is being published already.
    ///
    /// - Parameters:
    ///   - stream: the stream.
    ///   - reason: words that the encoder shows.
    package mutating func refusePublished(_ stream: UInt32, _ reason: String) {
        guard case .publishing? = streams[stream] else { return }
        status(stream, "NetStream.Publish.BadName", reason, isError: true)
        streams[stream] = .idle
    }

    /// Sends a tag to a peer that plays a stream.
    package mutating func send(_ media: RTMPMedia, in stream: UInt32) {
        guard case .playing? = streams[stream] else { return }
        writer.write(
            RTMPMessage(
                media.isVideo ? .video : .audio, timestamp: media.timestamp, stream: stream, payload: media.payload),
            into: &output)
    }

    /// Tells the peer that a stream begins (§7.1.7).
    private mutating func begin(_ stream: UInt32) {
        var payload = ByteBuffer(integer: 0, as: UInt16.self)
        payload.writeInteger(stream)
        send(.userControl, payload)
    }

    /// Tells the peer that a stream that it publishes or plays is over.
    package mutating func end(_ stream: UInt32, _ reason: String) {
        switch streams[stream] {
        case .publishing: status(stream, "NetStream.Unpublish.Success", reason, isError: false)
        case .playing: status(stream, "NetStream.Play.Stop", reason, isError: false)
        case .idle, .asked, nil: return
        }
        streams[stream] = .idle
    }

    // MARK: Messages

    private mutating func take(_ message: RTMPMessage, _ events: inout [RTMPEvent]) throws(RTMPError) {
        switch message.kind {
        case .windowAcknowledgementSize:
            let size = message.payload.getInteger(at: message.payload.readerIndex, as: UInt32.self) ?? 0
            acknowledgementWindow = max(1, size)
        case .userControl: if let pong = RTMPMessage.pong(to: message.payload) { writer.write(pong, into: &output) }
        case .command: try take(try AMF0Reader.values(message.payload), in: message.stream, &events)
        case .commandAMF3:
            try take(try AMF0Reader.values(RTMPMediaMessages.afterFormat(message.payload)), in: message.stream, &events)
        case .audio, .video, .data, .dataAMF3:
            guard case .publishing? = streams[message.stream] else { return }
            try RTMPMediaMessages.take(message, &events)
        case .aggregate:
            guard case .publishing? = streams[message.stream] else { return }
            try RTMPMediaMessages.takeAggregate(message, &events)
        case .setChunkSize, .abort, .acknowledgement, .setPeerBandwidth, nil: break
        }
    }

    // MARK: Commands

    private mutating func take(
        _ values: [AMF0Value], in stream: UInt32, _ events: inout [RTMPEvent]
    ) throws(RTMPError) {
        guard let name = values.first?.string else { throw RTMPError("a command has no name") }
        let transaction = values.dropFirst().first?.number ?? 0
        switch name {
        case "connect": try connect(values, transaction, &events)
        case "createStream": try createStream(transaction)
        case "publish", "play": try begin(values, in: stream, isPublishing: name == "publish", &events)
        case "deleteStream":
            end(values.dropFirst(3).first?.number.flatMap { UInt32(exactly: $0) } ?? stream, &events)
        case "closeStream": end(stream, &events)
        case "getStreamLength":
            // A channel has no length.
            command("_result", transaction, .null, .number(0))
        default:
            // Such as FCPublish and releaseStream, which wait for an answer or not.
            if transaction > 0 { command("_result", transaction, .null, .undefined) }
        }
    }

    private mutating func connect(
        _ values: [AMF0Value], _ transaction: Double, _ events: inout [RTMPEvent]
    ) throws(RTMPError) {
        guard case .none = application else { throw RTMPError("a connection has an application already") }
        let fields = values.dropFirst(2).first
        guard let name = fields?["app"]?.string else { throw RTMPError("connect names no application") }
        application = .asked(transaction: transaction)
        events.append(
            .connect(
                RTMPConnect(
                    application: name, address: fields?["tcUrl"]?.string, program: fields?["flashVer"]?.string)))
    }

    private mutating func createStream(_ transaction: Double) throws(RTMPError) {
        guard case .accepted = application else { throw RTMPError("a stream is created before connect was granted") }
        guard streams.count < Self.maximumStreamCount else {
            throw RTMPError("there are more than \(Self.maximumStreamCount) streams")
        }
        lastStream &+= 1
        streams[lastStream] = .idle
        command("_result", transaction, .null, .number(Double(lastStream)))
    }

    private mutating func begin(
        _ values: [AMF0Value], in stream: UInt32, isPublishing: Bool, _ events: inout [RTMPEvent]
    ) throws(RTMPError) {
        guard case .idle? = streams[stream] else {
            throw RTMPError("stream \(stream) was not created, or is in use")
        }
        guard let name = values.dropFirst(3).first?.string else { throw RTMPError("a stream has no name") }
        streams[stream] = .asked(isPublishing: isPublishing)
        events.append(isPublishing ? .publish(stream: stream, name: name) : .play(stream: stream, name: name))
    }

    private mutating func end(_ stream: UInt32, _ events: inout [RTMPEvent]) {
        guard let use = streams.removeValue(forKey: stream) else { return }
        if case .idle = use { return }
        events.append(.end(stream: stream))
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

    private mutating func status(_ stream: UInt32, _ code: String, _ words: String, isError: Bool) {
        command("onStatus", 0, .null, Self.information(isError ? "error" : "status", code, words), in: stream)
    }

    private static func information(_ level: String, _ code: String, _ words: String) -> AMF0Value {
        .object([
            .init("level", .string(level)), .init("code", .string(code)), .init("description", .string(words)),
        ])
    }

    private mutating func acknowledge() {
        guard receivedByteCount &- acknowledgedByteCount >= acknowledgementWindow else { return }
        acknowledgedByteCount = receivedByteCount
        send(.acknowledgement, ByteBuffer(integer: receivedByteCount))
    }
}
