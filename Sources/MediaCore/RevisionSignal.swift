/// A signal to a listener that waits for something new.
package enum RevisionSignal: Sendable, Hashable {
    /// There is something that it does not know.
    case changed
    /// Nothing has happened for a while. Both may be true: a signal that is not taken is replaced by the next one.
    case heartbeat
}
