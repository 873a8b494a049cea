package import NIOCore

/// A message, which chunks carry (Adobe, "RTMP 1.0", 2012, §6).
package struct RTMPMessage: Sendable, Hashable {
    /// The types of messages that Antena knows (§5.4, §7.1).
    package enum Kind: UInt8, Sendable {
        case setChunkSize = 1
        case abort = 2
        case acknowledgement = 3
        case userControl = 4
        case windowAcknowledgementSize = 5
        case setPeerBandwidth = 6
        case audio = 8
        case video = 9
        case dataAMF3 = 15
        case commandAMF3 = 17
        case data = 18
        case command = 20
        case aggregate = 22
    }

    /// The type; one that is not in ``Kind`` is passed over.
    package var type: UInt8
    /// Milliseconds from a beginning that the sender chooses; it wraps.
    package var timestamp: UInt32
    /// The message stream; 0 is the connection's own.
    package var stream: UInt32
    package var payload: ByteBuffer

    package init(_ kind: Kind, timestamp: UInt32 = 0, stream: UInt32 = 0, payload: ByteBuffer) {
        self.init(type: kind.rawValue, timestamp: timestamp, stream: stream, payload: payload)
    }

    init(type: UInt8, timestamp: UInt32, stream: UInt32, payload: ByteBuffer) {
        (self.type, self.timestamp, self.stream, self.payload) = (type, timestamp, stream, payload)
    }

    package var kind: Kind? { Kind(rawValue: type) }
}
