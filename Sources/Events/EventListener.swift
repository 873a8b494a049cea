/// What somebody gets who listens.
package struct EventListener: Sendable {
    /// The messages from now on.
    package var messages: AsyncStream<EventMessage>
    /// The last number when the listening began; what the listener has missed is up to it.
    package var begunAt: Int64
    /// Ends the listening.
    package var end: @Sendable () -> Void
}
