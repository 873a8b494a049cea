package import Crypto
import Foundation

/// Makes and checks the codes of ``MediaSignature``.
package struct MediaSigner: Sendable {
    private let key: SymmetricKey

    /// 128 bits, half of the hash, which is what RFC 2104 §5 asks for at least; every byte of it is in every URL.
    private static let codeByteCount = 16
    /// Separates these codes from whatever else is made with the key.
    private static let purpose = "antena media 1"

    /// - Parameter key: 256 bits, the same on all servers that share a database.
    package init(key: SymmetricKey) { self.key = key }

    /// Signs.
    ///
    /// - Parameters:
    ///   - folder: the folder under which all may be watched, such as `/live/canalA.stream`.
    ///   - expiresAt: the end, in seconds since 1970.
    ///   - id: what a revocation names.
    package func sign(_ folder: String, until expiresAt: Int64, id: String) -> MediaSignature {
        MediaSignature(expiresAt: expiresAt, id: id, code: Self.text(code(folder, expiresAt, id)))
    }

    /// Whether this server has signed something. The time is not looked at.
    package func isValid(_ signature: MediaSignature, for folder: String) -> Bool {
        // Texts are compared, because base64 has several for the same bytes, and each would be an address of its own.
        let (given, expected) = (
            Array(signature.code.utf8), Array(Self.text(code(folder, signature.expiresAt, signature.id)).utf8)
        )
        guard given.count == expected.count else { return false }
        // How many letters are right must not show in the time that the comparison takes.
        return zip(given, expected).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private func code(_ folder: String, _ expiresAt: Int64, _ id: String) -> [UInt8] {
        // No field but the last can have a line break: folders are percent-encoded and `id` is the server's own.
        var hash = HMAC<SHA256>(key: key)
        hash.update(data: Array("\(Self.purpose)\n\(expiresAt)\n\(id)\n\(folder)".utf8))
        return Array(hash.finalize().prefix(Self.codeByteCount))
    }

    private static func text(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
