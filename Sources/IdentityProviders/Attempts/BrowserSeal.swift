package import Crypto
import Foundation
import MediaCore

/// Encrypts what a browser keeps for the server, so that the browser can neither read nor change it (AES-GCM).
package struct BrowserSeal: Sendable {
    private let key: SymmetricKey

    /// Limit of a sealed text: a cookie has at most 4,096 bytes (RFC 6265 §6.1).
    package static let maximumByteCount = 3_900

    /// - Parameter key: 256 bits, the same on all servers behind one address.
    package init(key: SymmetricKey) { self.key = key }

    /// Seals a value; `nil` if the text would be too long.
    package func seal<Value: Encodable>(_ value: Value) -> String? {
        let purpose = Array(String(describing: Value.self).utf8)
        guard let plain = try? JSONEncoder().encode(value),
            let sealed = try? AES.GCM.seal(plain, using: key, authenticating: purpose).combined
        else { return nil }
        let text = Base64URL.text(sealed)
        return text.utf8.count <= Self.maximumByteCount ? text : nil
    }

    /// Opens a value that this server has sealed; `nil` for everything else.
    package func open<Value: Decodable>(_ type: Value.Type, _ text: String) -> Value? {
        guard text.utf8.count <= Self.maximumByteCount, let sealed = Base64URL.bytes(text),
            let box = try? AES.GCM.SealedBox(combined: sealed),
            let plain = try? AES.GCM.open(box, using: key, authenticating: Array(String(describing: type).utf8))
        else { return nil }
        return try? JSONDecoder().decode(type, from: plain)
    }

    /// 256 random bits in the letters that RFC 7636 §4.1 allows.
    static func randomText() -> String {
        Base64URL.text(SymmetricKey(size: .bits256).withUnsafeBytes { [UInt8]($0) })
    }
}
