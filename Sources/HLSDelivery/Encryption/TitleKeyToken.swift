import Crypto
import Foundation
import MediaCore

/// A permission to fetch one title's key until a certain time, signed by the server. Playlists contain it in the key's
/// URL; players may also send it as `Authorization: Bearer`.
///
/// The token keeps segments from caches, disks or exports from being played without the key, and makes a copied key URL
/// expire. It does not restrict viewers: every client that may load the playlist gets the key. To restrict a title, a
/// proxy in front of the server has to protect the playlist.
struct TitleKeyToken: Sendable, Hashable {
    /// Time at which the token expires, in whole seconds.
    var expiry: WallClockTime

    /// Lifetime of a token. Playlists get a new token every hour; a title is watched for some hours, and may be paused
    /// overnight.
    static let lifetime = Duration.seconds(24 * 3_600)
    /// Interval at which the token in a playlist changes; caches, including our own, keep a playlist that long.
    static let renewal = Duration.seconds(3_600)
    private static let signatureByteCount = 16

    /// The token that playlists rendered now contain.
    static func current(at now: WallClockTime) -> TitleKeyToken {
        let interval = renewal.components.seconds
        let next = WallClockTime(secondsSince1970: (now.secondsSince1970 / interval + 1) * interval)
        return TitleKeyToken(expiry: next + lifetime)
    }

    /// The token as it is in URLs: the expiry and the signature.
    func text(for key: TitleKey, secret: SymmetricKey) -> String {
        "\(expiry.secondsSince1970)-\(signature(for: key, secret: secret).hexadecimalDigits)"
    }

    /// Returns whether the text is an unexpired token for that key.
    static func isValid(
        _ text: some StringProtocol, for key: TitleKey, secret: SymmetricKey, now: WallClockTime
    ) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count <= 12, let seconds = Int64(parts[0]),
            case let expiry = WallClockTime(secondsSince1970: seconds), expiry > now
        else { return false }
        let expected = Array(TitleKeyToken(expiry: expiry).text(for: key, secret: secret).utf8)
        let given = Array(text.utf8)
        // Compares in constant time.
        return expected.count == given.count && zip(expected, given).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private func signature(for key: TitleKey, secret: SymmetricKey) -> [UInt8] {
        let message = Array("antena key \(key.id) \(expiry.secondsSince1970)".utf8)
        return Array(HMAC<SHA256>.authenticationCode(for: message, using: secret).prefix(Self.signatureByteCount))
    }
}
