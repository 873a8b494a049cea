import Events

extension EventSubject.Kind {
    static let announcement = Self(rawValue: "announcement")
}

extension EventType {
    /// An announcement was written or changed.
    static let announcementPublished = Self(rawValue: "announcement.published")
}
