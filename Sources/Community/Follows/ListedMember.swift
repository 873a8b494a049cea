/// A member as lists of people show them.
package struct ListedMember: Sendable, Hashable {
    /// The number of the row that the list is ordered by.
    var number: Int64
    package var username: String
    /// Whether whoever asked follows them; `nil` for the reader.
    package var isFollowed: Bool?
}
