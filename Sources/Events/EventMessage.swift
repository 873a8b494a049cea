/// A message for a listener.
package enum EventMessage: Sendable {
    case event(Event)
    /// Nothing has happened for a while. A heartbeat keeps connections through proxies open, and detects dead ones.
    case heartbeat
}
