/// An event of the journal. An object, because thousands of listeners are sent the same one.
package final class Event: Sendable {
    /// Its number. Numbers ascend, and some are left out.
    package let number: Int64
    package let type: EventType
    package let subject: EventSubject
    /// The time at which it happened, in the format of ISO 8601.
    package let time: String
    /// The event in JSON, without line breaks.
    package let json: String
    /// The event in the format of `text/event-stream` (HTML Standard §9.2).
    package let text: String

    init(number: Int64, type: EventType, subject: EventSubject, time: String, json: String) {
        (self.number, self.type, self.subject, self.time, self.json) = (number, type, subject, time, json)
        text = "id: \(number)\nevent: \(type.rawValue)\ndata: \(json)\n\n"
    }
}
