/// A member as lists of people show them.
package struct ListedMember: Sendable, Hashable {
    /// The number of the row that the list is ordered by.
    var number: Int64
    package var username: String
    /// Whether the reader of the list follows them; `nil` for the reader's own account.
    package var isFollowed: Bool?
    /// The version of their photo; `nil` without one.
    package var photo: String?
}
