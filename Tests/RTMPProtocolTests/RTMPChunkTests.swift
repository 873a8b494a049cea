import NIOCore
import Testing

@testable import RTMPProtocol

/// Messages in chunks, as other programs write them.
struct RTMPChunkTests {
    private static func message(
        _ kind: RTMPMessage.Kind, _ timestamp: UInt32, _ count: Int, stream: UInt32 = 1
    ) -> RTMPMessage {
        let payload = ByteBuffer(bytes: (0..<count).map { UInt8(truncatingIfNeeded: $0) })
        return RTMPMessage(kind, timestamp: timestamp, stream: stream, payload: payload)
    }

    /// All messages in some bytes, which come in pieces of a size.
    private static func messages(
        _ bytes: ByteBuffer, pieces: Int = .max, limits: RTMPLimits = .publishing
    ) throws -> [RTMPMessage] {
        var (reader, rest, messages) = (RTMPChunkReader(), bytes, [RTMPMessage]())
        reader.limits = limits
        while let piece = rest.readSlice(length: min(pieces, rest.readableBytes)), piece.readableBytes > 0 {
            reader.append(piece)
            while let message = try reader.next() { messages.append(message) }
        }
        return messages
    }

    @Test(arguments: [1, 3, 1_000, Int.max], [1, 128, 4_096, 65_536])
    func whatIsWrittenIsReadHoweverItComes(_ pieces: Int, _ chunkByteCount: Int) throws {
        let sent = [
            Self.message(.command, 0, 300, stream: 0), Self.message(.video, 0xff_fffe, 129),
            Self.message(.video, 0xff_ffff, 500), Self.message(.audio, 0xffff_ffff, 0), Self.message(.audio, 3, 1),
        ]
        var (writer, bytes) = (RTMPChunkWriter(), ByteBuffer())
        writer.setChunkSize(chunkByteCount, into: &bytes)
        for message in sent { writer.write(message, into: &bytes) }
        #expect(try Self.messages(bytes, pieces: pieces) == sent)
    }

    /// Headers that repeat what was before, in chunk streams with one, two and three bytes.
    @Test func shortHeadersTakeTheRestFromTheMessageBefore() throws {
        let streams: [(first: (UInt8) -> [UInt8], name: String)] = [
            ({ [$0 << 6 | 4] }, "4"), ({ [$0 << 6, 6] }, "70"), ({ [$0 << 6 | 1, 0x10, 0x01] }, "336"),
        ]
        for stream in streams {
            let bytes: [UInt8] =
                stream.first(0) + [0, 0, 100, 0, 0, 2, 8, 1, 0, 0, 0, 0xa, 0xb]
                + stream.first(1) + [0, 0, 20, 0, 0, 1, 9, 0xc]
                + stream.first(2) + [0, 0, 30, 0xd]
                + stream.first(3) + [0xe]
            let messages = try Self.messages(ByteBuffer(bytes: bytes), pieces: 1)
            #expect(messages.map(\.timestamp) == [100, 120, 150, 180], "\(stream.name)")
            #expect(messages.map(\.type) == [8, 9, 9, 9] && messages.allSatisfy { $0.stream == 1 })
            #expect(messages.map { Array($0.payload.readableBytesView) } == [[0xa, 0xb], [0xc], [0xd], [0xe]])
        }
    }

    @Test func chunksOfSeveralStreamsMayAlternate() throws {
        let video: [UInt8] = [6, 0, 0, 0, 0, 0, 200, 9, 1, 0, 0, 0]
        let audio: [UInt8] = [4, 0, 0, 0, 0, 0, 2, 8, 1, 0, 0, 0, 1, 2]
        let bytes = video + [UInt8](repeating: 7, count: 128) + audio + [0xc6] + [UInt8](repeating: 7, count: 72)
        let messages = try Self.messages(ByteBuffer(bytes: bytes))
        #expect(messages.map(\.kind) == [.audio, .video] && messages.last?.payload.readableBytes == 200)
    }

    /// A chunk of another stream may follow each, and reads may end anywhere, also within a payload.
    @Test(arguments: [1, 7, 64, 129, 131]) func alternatingChunksThatReadsCutAreCompleted(_ pieces: Int) throws {
        let video: [UInt8] = [6, 0, 0, 0, 0, 0, 200, 9, 1, 0, 0, 0]
        let audio: [UInt8] = [4, 0, 0, 0, 0, 0, 150, 8, 1, 0, 0, 0]
        func bytes(_ range: Range<Int>, _ first: Int) -> [UInt8] { range.map { UInt8(truncatingIfNeeded: $0 + first) } }
        let sent =
            video + bytes(0..<128, 0) + audio + bytes(0..<128, 50) + [0xc4] + bytes(128..<150, 50) + [0xc6]
            + bytes(128..<200, 0)
        let messages = try Self.messages(ByteBuffer(bytes: sent), pieces: pieces)
        #expect(messages.map { Array($0.payload.readableBytesView) } == [bytes(0..<150, 50), bytes(0..<200, 0)])
    }

    /// What a peer has begun counts while it arrives, and not only when a chunk is complete.
    @Test func theBeginningsOfMessagesAreLimited() throws {
        var limits = RTMPLimits.publishing
        limits.unfinishedByteCount = 100
        let video: [UInt8] = [6, 0, 0, 0, 0, 1, 0, 9, 1, 0, 0, 0] + [UInt8](repeating: 7, count: 101)
        #expect(throws: RTMPError.self) { _ = try Self.messages(ByteBuffer(bytes: video), pieces: 1, limits: limits) }
    }

    /// The extended time in chunks without a header: some encoders write it, and some do not.
    @Test(arguments: [true, false]) func longTimesAreReadFromBothKindsOfEncoders(_ isRepeated: Bool) throws {
        let time: [UInt8] = [0x01, 0, 0, 0]
        var bytes: [UInt8] = [6, 0xff, 0xff, 0xff, 0, 0, 130, 9, 1, 0, 0, 0] + time + [UInt8](repeating: 7, count: 128)
        bytes += [0xc6] + (isRepeated ? time : []) + [8, 8]
        // Bytes of another message tell that nothing was swallowed.
        bytes += [4, 0, 0, 5, 0, 0, 1, 8, 1, 0, 0, 0, 9]
        let messages = try Self.messages(ByteBuffer(bytes: bytes))
        #expect(messages.map(\.timestamp) == [0x0100_0000, 5] && messages.first?.payload.readableBytes == 130)
    }

    @Test func timesWrap() throws {
        let first: [UInt8] = [4, 0xff, 0xff, 0xff, 0, 0, 1, 8, 1, 0, 0, 0, 0xff, 0xff, 0xff, 0xf0, 1]
        let messages = try Self.messages(ByteBuffer(bytes: first + [0x84, 0, 0, 0x20, 2]))
        #expect(messages.map(\.timestamp) == [0xffff_fff0, 0x10])
    }

    /// An abort, and a header in the middle of a message: the message is given up, and its bytes are free.
    @Test func aMessageThatIsGivenUpIsForgotten() throws {
        let begun: [UInt8] = [6, 0, 0, 0, 0, 0, 200, 9, 1, 0, 0, 0] + [UInt8](repeating: 7, count: 128)
        let abort: [UInt8] = [2, 0, 0, 0, 0, 0, 4, 2, 0, 0, 0, 0, 0, 0, 0, 6]
        let next: [UInt8] = [6, 0, 0, 9, 0, 0, 1, 9, 1, 0, 0, 0, 1]
        let limits = RTMPLimits(messageByteCount: 1_000, unfinishedByteCount: 256)
        for bytes in [begun + abort, begun] {
            let all = Array(repeatElement(bytes, count: 5).joined()) + next
            #expect(try Self.messages(ByteBuffer(bytes: all), limits: limits).map(\.timestamp) == [9])
        }
    }

    @Test(
        arguments: [
            ([0xc6, 1], "no full header"),
            ([6, 0, 0, 0, 0xff, 0xff, 0xff, 9, 1, 0, 0, 0], "longer than"),
            ([2, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 0, 0], "size of chunks"),
            ([2, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0x7f, 0, 0, 0], "size of chunks"),
            ([2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0], "size of chunks"),
        ] as [([UInt8], String)])
    func badChunksAreErrors(_ bytes: [UInt8], _ words: String) {
        let error = #expect(throws: RTMPError.self) { try Self.messages(ByteBuffer(bytes: bytes)) }
        #expect(error?.description.contains(words) == true)
    }

    /// Chunk streams and messages that only begin cost bounded memory.
    @Test func whatOnlyBeginsIsLimited() throws {
        func begun(_ number: UInt8) -> [UInt8] {
            [number, 0, 0, 0, 0, 1, 0, 9, 1, 0, 0, 0] + [UInt8](repeating: 7, count: 128)
        }
        let many = (3...UInt8(3 + RTMPLimits.chunkStreamCount)).flatMap(begun)
        #expect(throws: RTMPError("there are more than 16 chunk streams")) {
            try Self.messages(ByteBuffer(bytes: many))
        }
        let limits = RTMPLimits(messageByteCount: 1_000, unfinishedByteCount: 256)
        let error = #expect(throws: RTMPError.self) {
            try Self.messages(ByteBuffer(bytes: begun(3) + begun(4) + begun(5)), limits: limits)
        }
        #expect(error?.description.contains("256 bytes") == true)
    }
}
