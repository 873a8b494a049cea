/// A device that waits for messages.
package struct MessagingStream: Sendable {
    package var signals: AsyncStream<MessagingSignal>
    /// The revision when the stream began.
    package var begunAt: Int64
    /// Ends the stream.
    package var end: @Sendable () -> Void
}
