/// Opened once; the task that waits for it goes on then.
package struct Gate: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init() { (stream, continuation) = AsyncStream.makeStream(of: Void.self) }

    package func open() { continuation.finish() }

    /// Waits until the gate is open, or the task is cancelled.
    package func wait() async { for await _ in stream {} }
}
