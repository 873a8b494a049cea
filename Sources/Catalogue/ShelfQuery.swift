package import MediaCore

/// Which of the playable titles a list shows, and in which order.
package struct ShelfQuery: Sendable, Hashable {
    /// Beginnings of words; `nil` or empty for all titles.
    package var words: String?
    /// The kind of the titles. Sections other than the new ones, and genres, have films only.
    package var kind: TitleKind
    package var section: TitleSection?
    /// The name of a genre, however it is written; `nil` for all.
    package var genre: String?
    /// The channel whose recordings are wanted, with the kind `recording`; `nil` for those of all.
    package var channel: String?
    package var order: ShelfOrder
    /// Titles that were added since then are new.
    package var newSince: WallClockTime
    /// Which titles the reader may be shown; `nil` for all.
    package var visible: RecordVisibility?

    package init(
        matching words: String? = nil, kind: TitleKind = .film, section: TitleSection? = nil, genre: String? = nil,
        channel: String? = nil, order: ShelfOrder = .newest, newSince: WallClockTime, visible: RecordVisibility? = nil
    ) {
        (self.words, self.kind, self.section, self.genre, self.order) = (words, kind, section, genre, order)
        self.channel = channel
        (self.newSince, self.visible) = (newSince, visible)
    }
}
