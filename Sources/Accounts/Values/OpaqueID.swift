package import Database

/// The public name of a session, token or link in lists and URLs. It is random and is not a credential.
package struct OpaqueID: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// Creates a new name.
    package init() { text = RandomText.identifier() }

    /// Parses a name; `nil` if the text cannot be one.
    package init?(parsing text: some StringProtocol) {
        guard RandomText.isIdentifier(text) else { return nil }
        self.text = String(text)
    }

    /// The name of an account among the names of other things.
    package init(_ user: UserID) { text = user.text }

    package var description: String { text }
}

extension OpaqueID: SQLReadable {
    package static var columnType: SQLColumnType { .text }
    package static func reading(_ value: SQLValue) -> OpaqueID? {
        String.reading(value).flatMap { OpaqueID(parsing: $0) }
    }
}
