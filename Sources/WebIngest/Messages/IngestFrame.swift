import NIOCore

/// A binary message: the parameters of a track, or one frame, behind a header of 16 bytes.
struct IngestFrame: Sendable, Hashable {
    enum Kind: UInt8, Sendable, Hashable {
        case configuration = 1
        case frame = 2
    }

    private static let keyFrameFlag: UInt8 = 1

    var kind: Kind
    var track: UInt8
    var isKeyFrame: Bool
    /// The time of capture in microseconds.
    var time: Int64
    /// Microseconds; zero if the sender does not know.
    var duration: UInt32
    var content: ByteBuffer

    /// - Parameter message: the message, which a stranger has sent.
    init(_ message: ByteBuffer) throws(IngestError) {
        var message = message
        guard let type = message.readInteger(as: UInt8.self), let kind = Kind(rawValue: type),
            let track = message.readInteger(as: UInt8.self), let flags = message.readInteger(as: UInt8.self),
            message.readInteger(as: UInt8.self) != nil, let time = message.readInteger(as: Int64.self),
            let duration = message.readInteger(as: UInt32.self)
        else { throw IngestError("a binary message has no header of 16 bytes that begins with 1 or 2") }
        (self.kind, self.track, self.time, self.duration) = (kind, track, time, duration)
        isKeyFrame = flags & Self.keyFrameFlag != 0
        content = message
    }
}
