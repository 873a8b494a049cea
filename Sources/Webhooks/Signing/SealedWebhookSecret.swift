import Accounts
import Crypto

/// Keys of receivers, encrypted for the database, so that a copy of the database alone does not hold them (AES-GCM,
/// bound to the receiver).
enum SealedWebhookSecret {
    static func seal(_ secret: WebhookSecret, of receiver: OpaqueID, with key: SymmetricKey) throws -> [UInt8] {
        let box = try AES.GCM.seal(secret.bytes, using: key, authenticating: Array(receiver.text.utf8))
        return Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
    }

    /// - Returns: `nil` if the server has another key now.
    static func open(_ sealed: [UInt8], of receiver: OpaqueID, with key: SymmetricKey) -> WebhookSecret? {
        guard let box = try? AES.GCM.SealedBox(combined: sealed),
            let bytes = try? AES.GCM.open(box, using: key, authenticating: Array(receiver.text.utf8))
        else { return nil }
        return WebhookSecret(bytes: Array(bytes))
    }
}
