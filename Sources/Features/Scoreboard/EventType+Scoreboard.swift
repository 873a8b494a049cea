import Events

extension EventType {
    /// The score of a match has changed.
    static let scoreChanged = Self(rawValue: "score.changed")
}
