package import Events

extension EventSubject.Kind {
    package static let title = Self(rawValue: "title")
    static let track = Self(rawValue: "track")
    static let job = Self(rawValue: "job")
}

extension EventType {
    /// A job waits, runs, or has ended; its progress is in the events of `/api/v1/jobs/events`.
    static let jobChanged = Self(rawValue: "job.changed")
    /// A title can be watched.
    package static let titleReady = Self(rawValue: "title.ready")
    /// A track can be heard.
    static let trackReady = Self(rawValue: "track.ready")
}
