import Crypto
package import Database

/// The SHA-256 digest of a credential with at least 80 random bits. Such a credential needs no slow hash, because
/// nobody can try all of them. Passwords that people choose have a ``PasswordHash``.
///
/// Rows are looked up by digest. How long a look-up takes shows nothing about a credential, because a digest cannot be
/// approached step by step.
package struct SecretDigest: Hashable, Sendable {
    package let bytes: [UInt8]

    init(of text: String) { bytes = Array(SHA256.hash(data: Array(text.utf8))) }

    private init?(stored bytes: [UInt8]) {
        guard bytes.count == SHA256Digest.byteCount else { return nil }
        self.bytes = bytes
    }

    /// The digest as a value of a statement.
    package var value: SQLValue { .blob(bytes) }
}

extension SecretDigest: SQLReadable {
    package static var columnType: SQLColumnType { .blob }
    package static func reading(_ value: SQLValue) -> SecretDigest? {
        [UInt8].reading(value).flatMap { SecretDigest(stored: $0) }
    }
}
