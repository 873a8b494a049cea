import NIOCore
import Synchronization

/// The ticks of all event loops.
final class ReceptionTickGroup: Sendable {
    private let ticks = Mutex([ObjectIdentifier: NIOLoopBound<ReceptionTicks>]())

    /// The ticks of an event loop; must be called on the loop.
    func ticks(of eventLoop: any EventLoop) -> ReceptionTicks {
        let bound = ticks.withLock { ticks in
            if let found = ticks[ObjectIdentifier(eventLoop)] { return found }
            let new = NIOLoopBound(ReceptionTicks(eventLoop: eventLoop), eventLoop: eventLoop)
            ticks[ObjectIdentifier(eventLoop)] = new
            return new
        }
        return bound.value
    }
}
