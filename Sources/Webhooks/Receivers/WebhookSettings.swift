package import Events

/// The owner's settings for a receiver.
package struct WebhookSettings: Sendable, Hashable {
    package var url: String
    /// The purpose of the receiver, in the words of its owner.
    package var summary: String
    package var filter: EventFilter

    package init(url: String, summary: String = "", filter: EventFilter = EventFilter()) {
        (self.url, self.summary, self.filter) = (url, summary, filter)
    }
}
