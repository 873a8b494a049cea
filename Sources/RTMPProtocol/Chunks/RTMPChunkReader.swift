package import NIOCore

/// Puts messages together from chunks. The size of chunks and the end of unfinished messages are seen to here.
package struct RTMPChunkReader: Sendable {
    /// The limits, which may grow when the peer is known.
    package var limits = RTMPLimits.greeting

    /// A chunk stream: the header of its last message, and the message that has begun.
    private struct ChunkStream {
        var type: UInt8
        var timestamp: UInt32
        var delta: UInt32
        /// The 32 bits of the last time, if it had so many.
        var extendedTime: UInt32?
        var stream: UInt32
        var length: Int
        /// The bytes of the message that has begun; `nil` between two messages.
        var unfinished: ByteBuffer?

        /// Notes the time of a message that begins.
        mutating func begin(_ header: RTMPChunkHeader) {
            if let time = header.time {
                delta = time
                extendedTime = header.isExtended ? time : nil
            }
            // After a full header, its timestamp counts as the distance (§5.3.1.2.4).
            timestamp = header.format == .full ? delta : timestamp &+ delta
        }

        func message(_ payload: ByteBuffer) -> RTMPMessage {
            RTMPMessage(type: type, timestamp: timestamp, stream: stream, payload: payload)
        }
    }

    /// A chunk whose header has been read.
    private struct OpenChunk {
        var chunkStream: UInt32
        /// Bytes of its payload that have not arrived.
        var missing: Int
    }

    private static let initialChunkByteCount = 128

    private var received = ByteBuffer()
    /// The chunk whose payload is being read; `nil` between two chunks.
    private var openChunk: OpenChunk?
    private var chunkStreams: [UInt32: ChunkStream] = [:]
    private var chunkByteCount = Self.initialChunkByteCount
    private var unfinishedByteCount = 0

    package init() {}

    /// Adds what has arrived.
    package mutating func append(_ bytes: ByteBuffer) {
        if received.readableBytes == 0 {
            received = bytes
        } else {
            received.writeImmutableBuffer(bytes)
        }
    }

    /// The next message that is complete; `nil` if more has to arrive.
    ///
    /// - Throws: `RTMPError` for chunks that cannot be, and beyond the limits. Nothing can be read after that.
    package mutating func next() throws(RTMPError) -> RTMPMessage? {
        while let message = try nextFromPeer() {
            switch message.kind {
            case .setChunkSize: try setChunkSize(message.payload)
            case .abort: abort(message.payload)
            default: return message
            }
        }
        // Buffers from which messages were cut belong to these. What is left is less than a header.
        received = received.readableBytes > 0 ? ByteBuffer(bytes: received.readableBytesView) : ByteBuffer()
        return nil
    }

    private mutating func nextFromPeer() throws(RTMPError) -> RTMPMessage? {
        while true {
            if openChunk == nil {
                guard received.readableBytes > 0, try beginChunk() else { return nil }
            }
            if let message = try takePayload() { return message }
            if openChunk != nil { return nil }
        }
    }

    /// Reads the header of a chunk; false if it is not there yet.
    private mutating func beginChunk() throws(RTMPError) -> Bool {
        var rest = received
        guard let header = RTMPChunkHeader(&rest) else { return false }
        var chunkStream = try self.chunkStream(header)
        if header.format == .none, let time = chunkStream.extendedTime {
            // The time stands in chunks without a header as well (§5.3.1.3), which not every encoder knows.
            guard let repeated = rest.getInteger(at: rest.readerIndex, as: UInt32.self) else { return false }
            if repeated == time { rest.moveReaderIndex(forwardBy: 4) }
        }
        received = rest
        if chunkStream.unfinished == nil { chunkStream.begin(header) }
        let missing = chunkStream.length - (chunkStream.unfinished?.readableBytes ?? 0)
        chunkStreams[header.chunkStream] = chunkStream
        openChunk = OpenChunk(chunkStream: header.chunkStream, missing: min(missing, chunkByteCount))
        return true
    }

    /// Takes what has arrived of the payload of the open chunk.
    ///
    /// - Returns: the message if it is complete with that.
    private mutating func takePayload() throws(RTMPError) -> RTMPMessage? {
        guard var chunk = openChunk, var chunkStream = chunkStreams[chunk.chunkStream],
            chunk.missing == 0 || received.readableBytes > 0,
            let piece = received.readSlice(length: min(chunk.missing, received.readableBytes))
        else { return nil }
        chunk.missing -= piece.readableBytes
        openChunk = chunk.missing > 0 ? chunk : nil
        // What has arrived in one piece is not copied.
        if chunkStream.unfinished == nil, piece.readableBytes == chunkStream.length {
            return chunkStream.message(piece)
        }
        // In one place only, so that appending does not copy.
        var payload = chunkStream.unfinished ?? ByteBuffer()
        chunkStream.unfinished = nil
        chunkStreams[chunk.chunkStream]?.unfinished = nil
        payload.writeImmutableBuffer(piece)
        unfinishedByteCount += piece.readableBytes
        if payload.readableBytes == chunkStream.length {
            unfinishedByteCount -= payload.readableBytes
            return chunkStream.message(payload)
        }
        guard unfinishedByteCount <= limits.unfinishedByteCount else {
            throw RTMPError("messages that have not ended take more than \(limits.unfinishedByteCount) bytes")
        }
        chunkStreams[chunk.chunkStream]?.unfinished = payload
        return nil
    }

    /// The chunk stream of a header, with what the header says about its message.
    private mutating func chunkStream(_ header: RTMPChunkHeader) throws(RTMPError) -> ChunkStream {
        let number = header.chunkStream
        guard var chunkStream = chunkStreams[number] else {
            guard header.format == .full, let type = header.type, let stream = header.stream else {
                throw RTMPError("the first chunk of chunk stream \(number) has no full header")
            }
            guard chunkStreams.count < RTMPLimits.chunkStreamCount else {
                throw RTMPError("there are more than \(RTMPLimits.chunkStreamCount) chunk streams")
            }
            return ChunkStream(
                type: type, timestamp: 0, delta: 0, extendedTime: nil, stream: stream, length: try length(header))
        }
        if header.format != .none {
            // A message before that has not ended was given up.
            giveUp(number)
            chunkStream.unfinished = nil
        }
        if let type = header.type { (chunkStream.type, chunkStream.length) = (type, try length(header)) }
        if let stream = header.stream { chunkStream.stream = stream }
        return chunkStream
    }

    private func length(_ header: RTMPChunkHeader) throws(RTMPError) -> Int {
        let length = Int(header.length ?? 0)
        guard length <= limits.messageByteCount else {
            throw RTMPError("a message of \(length) bytes is longer than \(limits.messageByteCount)")
        }
        return length
    }

    // MARK: Messages about chunks

    private mutating func setChunkSize(_ payload: ByteBuffer) throws(RTMPError) {
        guard let count = payload.getInteger(at: payload.readerIndex, as: UInt32.self),
            (1...UInt32(RTMPLimits.chunkByteCount)).contains(count)
        else { throw RTMPError("the size of chunks is not 1 to \(RTMPLimits.chunkByteCount) bytes") }
        chunkByteCount = Int(count)
    }

    private mutating func abort(_ payload: ByteBuffer) {
        guard let number = payload.getInteger(at: payload.readerIndex, as: UInt32.self) else { return }
        giveUp(number)
    }

    /// Forgets the message that has begun in a chunk stream.
    private mutating func giveUp(_ number: UInt32) {
        unfinishedByteCount -= chunkStreams[number]?.unfinished?.readableBytes ?? 0
        chunkStreams[number]?.unfinished = nil
    }
}
