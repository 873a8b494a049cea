import Crypto
import Foundation

/// A permission to fetch one title's key until a certain time, signed by the server. Playlists hand it out in the key's
/// URL; players may send it as `Authorization: Bearer`, too.
///
/// What it is good for: segments that lie in caches, on disks or in an export cannot be played by who only has them, and
/// a key's URL that is passed on stops working. What it is not: whoever may load the playlist gets the key. To keep a
/// title from people, the playlist itself has to be kept from them, by a proxy in front.
struct TitleKeyToken: Sendable, Hashable {
    /// Seconds since 1970.
    var expiry: Int64

    /// Playlists are rendered again when the hour has passed; a title is watched for some hours, and paused overnight.
    static let lifetime: Int64 = 24 * 3_600
    /// How often a playlist's token changes: shared caches and our own keep a playlist that much.
    static let renewal: Int64 = 3_600
    private static let signatureByteCount = 16

    /// - Parameter now: seconds since 1970.
    static func current(at now: Int64) -> TitleKeyToken {
        TitleKeyToken(expiry: (now / renewal + 1) * renewal + lifetime)
    }

    func text(for key: TitleKey, secret: SymmetricKey) -> String {
        "\(expiry)-\(TitleKey.hexadecimal(signature(for: key, secret: secret)))"
    }

    /// Whether a text is a token for that key that has not expired.
    static func isValid(_ text: some StringProtocol, for key: TitleKey, secret: SymmetricKey, now: Int64) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count <= 12, let expiry = Int64(parts[0]), expiry > now else {
            return false
        }
        let expected = Array(TitleKeyToken(expiry: expiry).text(for: key, secret: secret).utf8)
        let given = Array(text.utf8)
        // In the same time whatever differs.
        return expected.count == given.count && zip(expected, given).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private func signature(for key: TitleKey, secret: SymmetricKey) -> [UInt8] {
        let message = Array("antena key \(key.id) \(expiry)".utf8)
        return Array(HMAC<SHA256>.authenticationCode(for: message, using: secret).prefix(Self.signatureByteCount))
    }
}
