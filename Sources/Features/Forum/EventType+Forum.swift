import Events

extension EventSubject.Kind {
    /// A topic of the forum, by its ID.
    static let topic = Self(rawValue: "topic")
}

extension EventType {
    /// A topic was begun.
    static let topicBegun = Self(rawValue: "topic.begun")
    /// A comment was written in a topic.
    static let topicCommented = Self(rawValue: "topic.commented")
    /// A topic or one of its comments was changed, hidden or deleted.
    static let topicChanged = Self(rawValue: "topic.changed")
}
