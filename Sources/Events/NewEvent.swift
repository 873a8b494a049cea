package import JSONDocument
package import MediaCore

/// An event, before it has a number.
package struct NewEvent: Sendable {
    package var type: EventType
    package var subject: EventSubject
    package var happenedAt: WallClockTime
    /// Further members of the event.
    package var fields: [JSONText.Field]
    /// The origin of the event, if several servers notice it: it is journalled once.
    package var origin: String?

    package init(
        _ type: EventType, _ subject: EventSubject, at happenedAt: WallClockTime, _ fields: [JSONText.Field] = [],
        origin: String? = nil
    ) {
        (self.type, self.subject, self.happenedAt) = (type, subject, happenedAt)
        (self.fields, self.origin) = (fields, origin)
    }
}
