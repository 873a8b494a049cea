import Foundation

/// What the browser says about a ceremony (WebAuthn Level 2 §5.8.1).
struct ClientData: Sendable, Decodable {
    var type: String
    /// The challenge in base64url.
    var challenge: String
    var origin: String
    var crossOrigin: Bool?

    static let maximumByteCount = 4_096

    /// - Returns: `nil` if the bytes are not of this form.
    init?(parsing bytes: [UInt8]) {
        guard bytes.count <= Self.maximumByteCount,
            let data = try? JSONDecoder().decode(ClientData.self, from: Data(bytes))
        else { return nil }
        self = data
    }
}
