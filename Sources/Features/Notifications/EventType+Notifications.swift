import Events

extension EventSubject.Kind {
    /// A member, who alone is told.
    static let member = Self(rawValue: "member")
}

extension EventType {
    /// A member is told of something. It is journalled for members with a webhook that wants it, and for nobody else.
    static let notificationCreated = Self(rawValue: "notification.created")
}
