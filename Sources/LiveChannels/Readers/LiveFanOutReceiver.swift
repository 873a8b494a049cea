/// Receives the events of a channel. Confined to the event loop on which it subscribes.
package protocol LiveFanOutReceiver: AnyObject {
    /// Handles an event.
    ///
    /// - Parameters:
    ///   - event: what happened to the push.
    ///   - subscription: the identifier of the subscription. Events of an earlier subscription may still be on their
    ///     way when a new one has been made, which already begins with their outcome.
    func receive(_ event: LiveFanOutEvent, subscription: Int)
}
