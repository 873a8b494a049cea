package import MediaCore

/// A credential that an account has given to a program, without its secret.
package struct AccessToken: Sendable, Hashable {
    package var id: OpaqueID
    package var kind: TokenKind
    package var user: UserID
    package var name: String
    package var scope: Scope
    package var createdAt: WallClockTime
    /// `nil` if it does not expire.
    package var expiresAt: WallClockTime?
    /// The last use, to the minute; `nil` if it was never used.
    package var lastUsedAt: WallClockTime?
    package var lastAddress: String?
}
