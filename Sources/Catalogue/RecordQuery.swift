/// Which titles or tracks a list shows, and in which order.
package struct RecordQuery: Sendable, Hashable {
    /// Beginnings of words; `nil` or empty for all records.
    package var words: String?
    package var order: RecordOrder
    /// The state that records must have; `nil` for any.
    package var state: TitleState?
    /// The kind that titles must have; `nil` for any, and for tracks.
    package var kind: TitleKind?
    /// Which records the reader may be shown; `nil` for all.
    package var visible: RecordVisibility?

    package init(
        matching words: String? = nil, order: RecordOrder = .title, state: TitleState? = nil,
        kind: TitleKind? = nil, visible: RecordVisibility? = nil
    ) {
        (self.words, self.order, self.state, self.kind, self.visible) = (words, order, state, kind, visible)
    }
}
