import JSONDocument
package import MediaCore
package import WebTokens

/// Decides about viewers and publishers who show a JSON Web Token that another system has made.
package struct MediaTokens: Sendable {
    private let verifier: TokenVerifier
    private let source: TokenKeySource
    private let wallClock: WallClock

    /// - Parameters:
    ///   - verifier: the issuer and audience that tokens must name.
    ///   - source: the keys of those who make tokens.
    ///   - wallClock: tells the time of expiries.
    package init(_ verifier: TokenVerifier, _ source: TokenKeySource, wallClock: WallClock = .system) {
        (self.verifier, self.source, self.wallClock) = (verifier, source, wallClock)
    }

    /// Whether a text looks like a token, and is not one of this server's own, which have no points.
    package static func isToken(_ text: some StringProtocol) -> Bool { text.count { $0 == "." } == 2 }

    /// The actions in tokens that allow to watch.
    package static let watching: Set<String> = ["read", "playback"]
    /// The actions in tokens that allow to push.
    package static let publishing: Set<String> = ["publish"]

    /// The time until which a token allows something.
    ///
    /// - Parameters:
    ///   - token: the text.
    ///   - actions: any of these.
    ///   - folder: the folder of the media.
    /// - Returns: `nil` if the token is valid, but allows something else.
    /// - Throws: `TokenError`
    package func end(_ token: String, _ actions: Set<String>, for folder: String) async throws -> WallClockTime? {
        let keys = await source.keys(for: try TokenVerifier.header(of: token))
        let claims = try await verifier.verify(token, with: keys, at: wallClock.now())
        guard TokenPermissions(claims).allow(actions, folder) else { return nil }
        let end = claims["exp"]?.number.flatMap { Int64(exactly: $0.rounded(.down)) } ?? 0
        return WallClockTime(secondsSince1970: end) + TokenVerifier.leeway
    }
}
