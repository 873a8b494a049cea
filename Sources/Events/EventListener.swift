/// A listener's stream of events.
package struct EventListener: Sendable {
    /// The messages from now on.
    package var messages: AsyncStream<EventMessage>
    /// The last number when the listening began; what the listener has missed is up to it.
    package var begunAt: Int64
    /// Ends the listening, and keeps the place of somebody who gets the events in another way from now on; `nil` if the
    /// listening has ended already.
    package var handOver: @Sendable () -> EventListenerPlace?
    /// Ends the listening.
    package var end: @Sendable () -> Void
}
