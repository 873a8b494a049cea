package import Database

/// The identity of an account: random, so that it says nothing about the account or about how many there are. It never
/// changes, and no other account ever gets it.
package struct UserID: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// Creates the identity of a new account.
    package init() { text = RandomText.identifier() }

    /// Parses an identity; `nil` if the text cannot be one.
    package init?(parsing text: some StringProtocol) {
        guard RandomText.isIdentifier(text) else { return nil }
        self.text = String(text)
    }

    /// The account that something is about whose ID is that of an account.
    package init(_ id: OpaqueID) { text = id.text }

    package var description: String { text }
}

extension UserID: SQLReadable {
    package static var columnType: SQLColumnType { .text }
    package static func reading(_ value: SQLValue) -> UserID? { String.reading(value).flatMap { UserID(parsing: $0) } }
}
