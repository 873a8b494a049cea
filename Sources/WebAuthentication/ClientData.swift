import Foundation

/// The browser's data about a ceremony (WebAuthn Level 2 §5.8.1).
package struct ClientData: Sendable, Decodable {
    package var type: String
    /// The challenge in base64url.
    package var challenge: String
    package var origin: String
    package var crossOrigin: Bool?

    package static let maximumByteCount = 4_096

    /// - Returns: `nil` if the bytes are not of this form.
    package init?(parsing bytes: [UInt8]) {
        guard bytes.count <= Self.maximumByteCount,
            let data = try? JSONDecoder().decode(ClientData.self, from: Data(bytes))
        else { return nil }
        self = data
    }
}
