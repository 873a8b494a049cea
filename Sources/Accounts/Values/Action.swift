/// An action on a ``Resource``.
package enum Action: String, Sendable, Hashable, CaseIterable {
    /// Watch, listen, list, download.
    case read
    /// Push media to a channel.
    case publish
    /// Start and stop recordings of a channel.
    case record
    /// Add files to the library.
    case upload
    /// Comment, like, vote, report.
    case comment
    /// Hide, restore or delete what others have written.
    case moderate
    /// Keep the score of a match.
    case score
    /// Rent a title.
    case rent
    /// Change, rename, delete.
    case manage
    /// Change who may do what.
    case administer

    /// The position of the action's bit in an ``ActionSet``.
    var position: Int {
        switch self {
        case .read: 0
        case .publish: 1
        case .record: 2
        case .upload: 3
        case .comment: 4
        case .moderate: 5
        case .score: 6
        case .rent: 7
        case .manage: 8
        case .administer: 9
        }
    }
}
