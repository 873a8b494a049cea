import Synchronization

/// The known facts about the sender of a request, for the page of an error: the error leaves its handler, and the
/// context that the handler had is gone.
package final class KnownSender: Sendable {
    private let state = Mutex<(wasAsked: Bool, identity: RequestIdentity?)>((false, nil))

    package init() {}

    /// The sender of the request; `nil` if it is unknown or was not looked up.
    var identity: RequestIdentity? { state.withLock { $0.identity } }
    /// Whether somebody has asked who sends the request.
    var wasAsked: Bool { state.withLock { $0.wasAsked } }

    /// Notes that it is about to be found out.
    func ask() { state.withLock { $0.wasAsked = true } }
    func note(_ identity: RequestIdentity) { state.withLock { $0.identity = identity } }
}
