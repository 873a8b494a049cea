/// A listener that waits for something new.
package struct RevisionStream: Sendable {
    package var signals: AsyncStream<RevisionSignal>
    /// The revision when the stream began.
    package var begunAt: Int64
    /// Ends the stream.
    package var end: @Sendable () -> Void
}
