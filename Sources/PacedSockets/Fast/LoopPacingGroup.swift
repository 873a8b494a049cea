package import NIOCore
import Synchronization

/// The pacing of all event loops.
package final class LoopPacingGroup: Sendable {
    private let pacings = Mutex([ObjectIdentifier: NIOLoopBound<LoopPacing>]())

    package init() {}

    /// The pacing of an event loop; must be called on the loop.
    package func pacing(of eventLoop: any EventLoop) -> LoopPacing {
        let bound = pacings.withLock { pacings in
            if let found = pacings[ObjectIdentifier(eventLoop)] { return found }
            let new = NIOLoopBound(LoopPacing(eventLoop: eventLoop), eventLoop: eventLoop)
            pacings[ObjectIdentifier(eventLoop)] = new
            return new
        }
        return bound.value
    }
}
