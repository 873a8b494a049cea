package import Accounts
import Database

/// A member as others see them.
package struct NamedMember: Sendable, Hashable {
    package var id: UserID
    package var username: String
    /// The version of the photo; `nil` without one.
    package var photo: String?

    package init(id: UserID, username: String, photo: String? = nil) {
        (self.id, self.username, self.photo) = (id, username, photo)
    }

    /// The columns of ``init(_:_:)``, which may be `NULL` together.
    static func columns(of account: JoinedAccount, as prefix: String) -> String {
        "\(account.id) AS \(prefix)ID, \(account.username) AS \(prefix)Name, \(account.photo) AS \(prefix)Photo"
    }

    /// - Returns: `nil` for a deleted account, and where nobody is named.
    static func optional(_ row: SQLRow, _ prefix: String) throws -> NamedMember? {
        guard let id: UserID = try row.optional("\(prefix)ID") else { return nil }
        return NamedMember(
            id: id, username: try row.value("\(prefix)Name"), photo: try row.optional("\(prefix)Photo"))
    }
}
