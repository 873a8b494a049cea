package import Events

/// A change to a receiver; what is `nil` stays as it is.
package struct WebhookChange: Sendable, Hashable {
    package var url: String?
    package var summary: String?
    /// Types and groups of types; empty for all.
    package var types: Set<String>?
    /// The subject; the inner `nil` is for all.
    package var subject: EventSubject??
    /// Whether it is sent events. A receiver that is enabled again gets what the journal still has since it was
    /// disabled.
    package var isEnabled: Bool?

    package init() {}
}
