/// A signal to a device that waits for messages.
package enum MessagingSignal: Sendable, Hashable {
    /// There is something that it does not know.
    case changed
    /// Nothing has happened for a while. Both may be true: a signal that is not taken is replaced by the next one.
    case heartbeat
}
