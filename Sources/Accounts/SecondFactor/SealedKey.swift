import Crypto
import Foundation
import MediaCore

/// Keys of second factors, encrypted for the database, so that a copy of the database alone does not hold them
/// (AES-GCM, bound to the account).
enum SealedKey {
    static func seal(_ code: TimeBasedCode, of user: UserID, with key: SymmetricKey) throws -> [UInt8] {
        let box = try AES.GCM.seal(code.key, using: key, authenticating: Array(user.text.utf8))
        return Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
    }

    /// - Throws: `Refusal` with `notAvailable` if the server has another key now.
    static func open(_ sealed: [UInt8], of user: UserID, with key: SymmetricKey) throws -> TimeBasedCode {
        do {
            let box = try AES.GCM.SealedBox(combined: sealed)
            return TimeBasedCode(key: Array(try AES.GCM.open(box, using: key, authenticating: Array(user.text.utf8))))
        } catch {
            throw Refusal(
                .notAvailable,
                """
                the second factor cannot be checked, because the server's key has changed; use a recovery code, or \
                ask an administrator to remove the second factor
                """)
        }
    }
}
