package import Accounts
package import Catalogue

/// Which videos a list shows, and in which order.
package struct VideoQuery: Sendable, Hashable {
    /// The scope of a list of videos.
    package enum Scope: Sendable, Hashable {
        case all
        /// The videos of a competition, or of one of its days, from 1.
        case competition(OpaqueID, day: Int?)
        case member(UserID)
        /// The videos of the members whom a member follows, and the member's own.
        case feed(of: UserID)
    }

    package enum Order: String, Sendable, Hashable, CaseIterable {
        case newest, likes
    }

    package var scope: Scope
    package var order: Order
    /// Beginnings of words; `nil` for all videos.
    package var words: String?
    /// Which titles the reader may be shown; `nil` for all.
    package var visible: RecordVisibility?
    /// The member whose likes are wanted; `nil` for none.
    package var reader: UserID?
    /// Whether the reader may enter a competition before it opens, as those who manage competitions may.
    package var entersClosed = false

    package init(
        _ scope: Scope = .all, order: Order = .newest, matching words: String? = nil,
        visible: RecordVisibility? = nil, reader: UserID? = nil
    ) {
        (self.scope, self.order, self.words, self.visible, self.reader) = (scope, order, words, visible, reader)
    }
}
