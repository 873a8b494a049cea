/// A device that waits for notifications.
package struct NotificationStream: Sendable {
    package var signals: AsyncStream<NotificationSignal>
    /// The revision when the stream began.
    package var begunAt: Int64
    /// Ends the stream.
    package var end: @Sendable () -> Void
}
