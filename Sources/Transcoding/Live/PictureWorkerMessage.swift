import MediaCore
package import NIOCore

/// Messages between a server and a live worker that makes pictures of key frames, framed as ``LiveWorkerMessage``
/// says.
package enum PictureWorkerMessage {
    static let beginType: UInt8 = 2
    private static let keyFrameType: UInt8 = 3
    private static let pictureType: UInt8 = 4
    private static let refusalType: UInt8 = 5
    /// Limit of a picture: a JPEG of 480 × 480 pixels has 230,400 bytes even if nothing of it could be compressed.
    private static let maximumPictureByteCount = 256 << 10
    private static let maximumReasonByteCount = 1_000

    /// The answer of a worker, which its server treats as untrusted input.
    package enum Answer: Sendable, Equatable {
        /// A JPEG file.
        case picture(ByteBuffer)
        /// The key frame cannot be decoded.
        case refused(String)
        /// The worker cannot make pictures at all, because libav is missing or it cannot be confined.
        case failed(String)

        func write(into buffer: inout ByteBuffer) {
            switch self {
            case .picture(let bytes):
                LiveWorkerMessage.write(PictureWorkerMessage.pictureType, into: &buffer) {
                    $0.writeImmutableBuffer(bytes)
                }
            case .refused(let reason):
                LiveWorkerMessage.write(PictureWorkerMessage.refusalType, into: &buffer) {
                    $0.writeString(String(reason.prefix(300)))
                }
            case .failed(let reason): LiveWorkerAnswer.output(.failed(reason)).write(into: &buffer)
            }
        }

        /// Parses a message; throws ``LiveWorkerMessage/Damage`` if it is invalid.
        package init(type: UInt8, body: ByteBuffer) throws(LiveWorkerMessage.Damage) {
            switch type {
            case PictureWorkerMessage.pictureType:
                guard body.readableBytes <= PictureWorkerMessage.maximumPictureByteCount,
                    body.getBytes(at: body.readerIndex, length: 2) == [0xFF, 0xD8]
                else { throw LiveWorkerMessage.Damage(description: "no picture, but \(body.readableBytes) bytes") }
                self = .picture(body)
            case PictureWorkerMessage.refusalType: self = .refused(Self.reason(body))
            case LiveWorkerAnswer.failureType: self = .failed(Self.reason(body))
            default: throw LiveWorkerMessage.Damage(description: "an unknown answer")
            }
        }

        private static func reason(_ body: ByteBuffer) -> String {
            let bytes = body.readableBytesView.prefix(PictureWorkerMessage.maximumReasonByteCount)
            return UntrustedText.escaped(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// Appends the first message to a worker.
    static func writeBegin(into buffer: inout ByteBuffer) {
        LiveWorkerMessage.write(beginType, into: &buffer) { _ in }
    }

    /// Appends a key frame.
    ///
    /// - Returns: false if it is larger than a message may be.
    package static func write(_ frame: KeyFrame, into buffer: inout ByteBuffer) -> Bool {
        guard frame.bytes.readableBytes <= LiveTranscodingLimits.standard.maximumQueuedByteCount else { return false }
        LiveWorkerMessage.write(keyFrameType, into: &buffer) { buffer in
            buffer.writeInteger(frame.codec.rawValue)
            buffer.writeImmutableBuffer(frame.bytes)
        }
        return true
    }

    /// Parses a key frame; throws ``LiveWorkerMessage/Damage`` if it is invalid.
    static func keyFrame(type: UInt8, body: ByteBuffer) throws(LiveWorkerMessage.Damage) -> KeyFrame {
        var body = body
        guard type == keyFrameType, let codec = body.readInteger().flatMap(KeyFrame.Codec.init(rawValue:)),
            body.readableBytes > 0
        else { throw LiveWorkerMessage.Damage(description: "an unknown request") }
        return KeyFrame(codec: codec, bytes: body)
    }
}
