import LiveChannels
import MediaCore
import NIOCore
import Synchronization

/// Finds a channel's reader group on an event loop. There is at most one group per channel and loop.
final class LiveReaderGroups: Sendable {
    private struct Key: Hashable {
        var fanOut: ObjectIdentifier
        var eventLoop: ObjectIdentifier
    }

    private let groups = Mutex([Key: NIOLoopBound<LiveReaderGroup>]())
    private let wallClock: WallClock

    init(wallClock: WallClock = .system) { self.wallClock = wallClock }

    /// The group of a channel; must be called on the event loop.
    func group(of fanOut: LiveFanOut, on eventLoop: any EventLoop) -> LiveReaderGroup {
        let key = Key(fanOut: ObjectIdentifier(fanOut), eventLoop: ObjectIdentifier(eventLoop))
        let group = groups.withLock { groups in
            if let group = groups[key] { return group }
            let group = NIOLoopBound(
                LiveReaderGroup(fanOut: fanOut, eventLoop: eventLoop, wallClock: wallClock), eventLoop: eventLoop)
            groups[key] = group
            return group
        }
        return group.value
    }
}
