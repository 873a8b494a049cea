import NIOCore

/// Reads the messages that carry media, which are the same on both sides of a connection.
enum RTMPMediaMessages {
    /// Reads a message of audio, video or data.
    static func take(_ message: RTMPMessage, _ events: inout [RTMPEvent]) throws(RTMPError) {
        switch message.kind {
        case .audio, .video:
            // Empty tags keep some connections alive.
            guard message.payload.readableBytes > 0 else { return }
            events.append(
                .media(
                    RTMPMedia(
                        isVideo: message.kind == .video, timestamp: message.timestamp, payload: message.payload)))
        case .data, .dataAMF3:
            let payload = message.kind == .data ? message.payload : afterFormat(message.payload)
            var values = try AMF0Reader.values(payload)[...]
            if values.first?.string == "@setDataFrame" { values = values.dropFirst() }
            guard let name = values.first?.string else { return }
            events.append(.data(name: name, values: Array(values.dropFirst()), timestamp: message.timestamp))
        default: break
        }
    }

    /// Reads the messages in an aggregate (§7.1.6), whose times are distances from that of the first.
    static func takeAggregate(_ aggregate: RTMPMessage, _ events: inout [RTMPEvent]) throws(RTMPError) {
        var (bytes, first) = (aggregate.payload, UInt32?.none)
        while bytes.readableBytes > 0 {
            guard let type = bytes.readInteger(as: UInt8.self), let length = bytes.readInteger24(),
                let low = bytes.readInteger24(), let high = bytes.readInteger(as: UInt8.self),
                bytes.readInteger24() != nil, let payload = bytes.readSlice(length: Int(length)),
                bytes.readInteger(as: UInt32.self) != nil
            else { throw RTMPError("a message in an aggregate is longer than the aggregate") }
            let time = UInt32(high) << 24 | low
            first = first ?? time
            try take(
                RTMPMessage(
                    type: type, timestamp: aggregate.timestamp &+ (time &- (first ?? time)), stream: aggregate.stream,
                    payload: payload), &events)
        }
    }

    /// The values of a message for AMF 3, in which encoders send AMF 0 behind a byte.
    static func afterFormat(_ payload: ByteBuffer) -> ByteBuffer {
        var payload = payload
        if payload.getInteger(at: payload.readerIndex, as: UInt8.self) == 0 { payload.moveReaderIndex(forwardBy: 1) }
        return payload
    }
}
