/// What the club asks of somebody who wants to watch a title.
package enum TitleRestriction: Sendable, Hashable {
    /// A rental of the title with an ID.
    case rental(title: String)
    /// An account: the title is a trailer, and trailers are for members.
    case membersOnly
}
