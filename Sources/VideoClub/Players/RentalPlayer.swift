package import Accounts

/// A player of a rented title, as far as players can be told apart: by the signed session of its address, by the
/// client's address and by its program. A session that was copied to another device is another player.
package struct RentalPlayer: Hashable, Sendable {
    /// Hash of the session and the client's address.
    let place: Int
    /// Hash of the session, the client's address and its program.
    let key: Int

    /// - Parameters:
    ///   - session: the session; see ``session(of:)``.
    ///   - origin: where the request comes from.
    package init(session: some StringProtocol, from origin: RequestOrigin) {
        var hasher = Hasher()
        hasher.combine(String(session))
        hasher.combine(origin.group)
        place = hasher.finalize()
        hasher.combine(origin.device)
        key = hasher.finalize()
    }

    private static let sessionCharacterCount = 8

    /// The session that addresses get which are signed for a caller: all that one log-in, token or app password opens
    /// has the same, so that a page that is loaded again is no new player.
    package static func session(of principal: Principal) -> String {
        String((principal.session ?? principal.token)?.text.prefix(sessionCharacterCount) ?? "none")
    }
}
