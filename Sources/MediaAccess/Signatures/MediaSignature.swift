/// The permission to watch something until a time, as it stands in a URL: `exp=1764000000,id=…,sig=…`.
///
/// It stands in the path, as `/signed/exp=…,id=…,sig=…/live/canalA.stream/playlist.m3u8`. Addresses in playlists are
/// relative, so all that a player requests because of a playlist has the same signature in its path: no cookie, no
/// header, and nothing to add to each address.
package struct MediaSignature: Sendable, Hashable {
    /// The end, in seconds since 1970, as `exp` of JWTs (RFC 7519 §4.1.4).
    package var expiresAt: Int64
    /// What a revocation names.
    package var id: String
    /// The code in base64url without padding.
    package var code: String

    package init(expiresAt: Int64, id: String, code: String) {
        (self.expiresAt, self.id, self.code) = (expiresAt, id, code)
    }

    /// Limit of the text; one of this server has about 80 bytes.
    package static let maximumByteCount = 200

    /// Parses the text; `nil` for anything that this server cannot have written.
    package init?(parsing text: some StringProtocol) {
        guard text.utf8.count <= Self.maximumByteCount else { return nil }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].hasPrefix("exp="), parts[1].hasPrefix("id="), parts[2].hasPrefix("sig=") else {
            return nil
        }
        let digits = parts[0].dropFirst("exp=".count)
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let expiresAt = Int64(digits)
        else { return nil }
        self.init(
            expiresAt: expiresAt, id: String(parts[1].dropFirst("id=".count)),
            code: String(parts[2].dropFirst("sig=".count)))
    }

    /// Separates what a revocation names from the time before which playback has to begin.
    private static let startSeparator: Character = "~"

    /// The text of ``id`` for a signature with which nobody can begin at the end of `start`, in seconds since 1970.
    static func id(_ subject: String, startingBefore start: Int64?) -> String {
        start.map { "\(subject)\(startSeparator)\($0)" } ?? subject
    }

    /// What follows the separator in ``id`` for a signature that ends when what it is for gets a price.
    private static let whileFreeMark = "free"

    /// The text of ``id`` for a signature that ends when what it is for gets a price.
    static func idWhileFree(_ subject: String) -> String { "\(subject)\(startSeparator)\(whileFreeMark)" }

    /// Whether the signature ends when what it is for gets a price.
    package var isWhileFree: Bool {
        id.firstIndex(of: Self.startSeparator).map { id[$0...].dropFirst() == Self.whileFreeMark } ?? false
    }

    /// What the signature is for, such as a rental.
    package var subject: Substring { id.prefix { $0 != Self.startSeparator } }

    /// The time before which playback has to begin, in seconds since 1970; what has begun goes on until ``expiresAt``.
    /// `nil` if it can begin as long as the signature is valid.
    package var startsBefore: Int64? {
        id.firstIndex(of: Self.startSeparator).flatMap { Int64(id[$0...].dropFirst()) }
    }

    package var text: String { "exp=\(expiresAt),id=\(id),sig=\(code)" }
}
