import HTTPTypes
import NIOCore

/// A request with POST for the license of a title, whose body is collected before it is answered.
struct LicenseRequest {
    let request: HTTPRequest
    let media: MediaRequest
    private(set) var body = ByteBuffer()

    /// - Returns: `nil` if a request is for anything else.
    init?(_ request: HTTPRequest) {
        guard request.method == .post, let media = request.path.flatMap(Self.media) else { return nil }
        (self.request, self.media) = (request, media)
    }

    /// The license that a target leads to; `nil` if it leads to anything else.
    static func media(at target: String) -> MediaRequest? {
        guard target.utf8.contains(UInt8(ascii: "l")), let media = MediaRequest(target: target),
            media.resource == .license
        else { return nil }
        return media
    }

    /// Adds a piece of the body. What is beyond the limit is not kept: a body of one byte too many is refused.
    mutating func append(_ bytes: ByteBuffer) {
        let room = ClearKeyLicense.maximumRequestByteCount + 1 - body.readableBytes
        guard room > 0, let kept = bytes.getSlice(at: bytes.readerIndex, length: min(room, bytes.readableBytes)) else {
            return
        }
        body.writeImmutableBuffer(kept)
    }
}
