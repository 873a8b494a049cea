/// Which titles or tracks a list shows, and in which order.
package struct RecordQuery: Sendable, Hashable {
    /// Beginnings of words; `nil` or empty for all records.
    package var words: String?
    package var order: RecordOrder
    /// The state that records must have; `nil` for any.
    package var state: TitleState?
    /// Which records the reader may be shown; `nil` for all.
    package var visible: RecordVisibility?

    package init(
        matching words: String? = nil, order: RecordOrder = .title, state: TitleState? = nil,
        visible: RecordVisibility? = nil
    ) {
        (self.words, self.order, self.state, self.visible) = (words, order, state, visible)
    }
}
