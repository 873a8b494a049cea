package import Crypto
import ServerSettings

/// The keys of a server, each derived from the secret in its data folder.
package struct ServerKeys: Sendable {
    private let digits: String

    private static let file = SecretFile(
        name: "accounts-key", purpose: "key of the accounts",
        remedy: "restore it from a backup; without it, second factors have to be set up again, and links end")
    private static let byteCount = 32

    /// The purpose of a key; separates the keys that are derived from the file.
    package enum Purpose: String, Sendable {
        case accounts = "antena accounts sealing"
        case links = "antena media signing"
        case providers = "antena provider sealing"
        case idempotency = "antena idempotency"
        case webhooks = "antena webhook sealing"
        case copies = "antena offline copies"
        case notifications = "antena notifications"
    }

    /// Reads the secret, or makes it; blocks.
    ///
    /// - Parameter directory: the data folder.
    /// - Throws: `ServerStartError`
    package init(directory: String) throws { (digits, _) = try Self.file.load(orMakeIn: directory) }

    /// - Parameter secret: what the keys are derived from.
    package init(secret: String) { digits = secret }

    /// The key for a purpose, the same at each start.
    package func key(_ purpose: Purpose) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Array(digits.utf8)), info: Array(purpose.rawValue.utf8),
            outputByteCount: Self.byteCount)
    }
}
