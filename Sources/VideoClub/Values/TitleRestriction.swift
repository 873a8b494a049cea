/// The club's requirement for watching a title.
package enum TitleRestriction: Sendable, Hashable {
    /// A rental of the title with an ID.
    case rental(title: String)
    /// An account: the title is a trailer, and trailers are for members.
    case membersOnly
}
