/// The permission to watch something until a time, as it stands in a URL: `exp=1764000000,id=…,sig=…`.
///
/// It stands in the path, as `/signed/exp=…,id=…,sig=…/live/canalA.stream/playlist.m3u8`. Addresses in playlists are
/// relative, so all that a player requests because of a playlist has the same signature in its path: no cookie, no
/// header, and nothing to add to each address.
package struct MediaSignature: Sendable, Hashable {
    /// The end, in seconds since 1970, as `exp` of JWTs (RFC 7519 §4.1.4).
    package var expiresAt: Int64
    /// The ID that a revocation names.
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

    /// Separates what a revocation names from the marks that follow it, and those from each other.
    private static let separator: Character = "~"
    /// The mark of a signature that ends when what it is for gets a price.
    private static let whileFreeMark = "free"
    /// The prefix of the mark with the session.
    private static let sessionPrefix = "s-"

    /// The text of ``id`` with its marks.
    ///
    /// - Parameters:
    ///   - subject: what a revocation names.
    ///   - start: the time before which playback has to begin, in seconds since 1970; `nil` for none.
    ///   - session: the session, for players that are counted; `nil` for none.
    static func id(_ subject: String, startingBefore start: Int64?, session: String?) -> String {
        let marks = [start.map { "\($0)" }, session.map { "\(sessionPrefix)\($0)" }].compactMap(\.self)
        return ([subject] + marks).joined(separator: String(separator))
    }

    /// The text of ``id`` for a signature that ends when what it is for gets a price.
    static func idWhileFree(_ subject: String) -> String { "\(subject)\(separator)\(whileFreeMark)" }

    private var marks: ArraySlice<Substring> {
        id.split(separator: Self.separator, omittingEmptySubsequences: false).dropFirst()
    }

    /// Whether the signature ends when what it is for gets a price.
    package var isWhileFree: Bool { marks.contains { $0 == Self.whileFreeMark } }

    /// The subject of the signature, such as a rental.
    package var subject: Substring { id.prefix { $0 != Self.separator } }

    /// The time before which playback has to begin, in seconds since 1970; what has begun goes on until ``expiresAt``.
    /// `nil` if it can begin as long as the signature is valid.
    package var startsBefore: Int64? { marks.first.flatMap { Int64($0) } }

    /// The session that players with the same signature share, such as a log-in; `nil` if they are not counted.
    package var session: Substring? {
        marks.last { $0.hasPrefix(Self.sessionPrefix) }?.dropFirst(Self.sessionPrefix.count)
    }

    package var text: String { "exp=\(expiresAt),id=\(id),sig=\(code)" }
}
