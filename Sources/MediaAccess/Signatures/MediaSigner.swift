package import Crypto

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
        MediaSignature(
            expiresAt: expiresAt, id: id,
            code: String(decoding: Self.letters(code(folder, expiresAt, id)), as: UTF8.self))
    }

    /// Whether this server has signed something. The time is not looked at.
    package func isValid(_ signature: MediaSignature, for folder: String) -> Bool {
        // Texts are compared, because base64 has several for the same bytes, and each would be an address of its own.
        let expected = Self.letters(code(folder, signature.expiresAt, signature.id))
        let given = signature.code.utf8
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

    /// Base64url without padding (RFC 4648 §5). It is made for every request, so without a text in between.
    private static func letters(_ bytes: [UInt8]) -> [UInt8] {
        var letters: [UInt8] = []
        letters.reserveCapacity((bytes.count * 4 + 2) / 3)
        var (bits, count): (UInt32, UInt32) = (0, 0)
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                letters.append(alphabet[Int(bits >> count & 63)])
            }
        }
        if count > 0 { letters.append(alphabet[Int(bits << (6 - count) & 63)]) }
        return letters
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}
