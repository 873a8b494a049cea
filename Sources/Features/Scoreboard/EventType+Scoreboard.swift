import Events

extension EventType {
    /// The score of a match has changed.
    static let scoreChanged = Self(rawValue: "score.changed")
    /// The board of a channel shows another drawing, or none any more.
    static let strategyChanged = Self(rawValue: "strategy.changed")
}
