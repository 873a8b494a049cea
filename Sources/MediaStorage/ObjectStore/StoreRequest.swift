import NIOCore
import NIOHTTP1

/// A request to an object store, before it is signed.
struct StoreRequest: Sendable {
    enum Body: Sendable {
        case none
        case bytes(ByteBuffer)
        case file(FilePieces)
    }

    /// The operation in errors, such as "read".
    var operation: String
    /// The key in errors, without the prefix of the address.
    var key: String?
    var method: HTTPMethod
    /// The percent-encoded path.
    var path: String
    var query: [(name: String, value: String)] = []
    /// Names in lower case.
    var headers: [(name: String, value: String)] = []
    var body = Body.none
    /// The SHA-256 of the body in hexadecimal digits.
    var payloadHash = RequestSignature.emptyPayloadHash
    /// True if the store may need minutes for the answer.
    var joinsObjects = false

    var isUpload: Bool {
        if case .file = body { true } else { false }
    }
}
