package import Codecs
package import MediaCore
package import NIOCore
import Synchronization

/// Takes what a publisher sends to every event loop on which the channel is read: one hop per unit and receiver, which
/// all RTSP readers of a loop share.
///
/// The units since the last key frame are kept even while nobody reads, so that the first reader starts at once, too.
/// This costs one copy of the bytes and the memory of a group of pictures: 0.6 MB for two seconds at 2.5 Mbit/s.
package final class LiveFanOut: Sendable {
    private let state = Mutex(State())
    private let allocator: ByteBufferAllocator

    private struct State {
        var broadcast: LiveBroadcast?
        var broadcastCount = 0
        var kept = KeptUnits(tracks: [])
        var subscriptionCount = 0
        var subscriptions: [Subscription] = []
    }

    private struct Subscription: Sendable {
        var identifier: Int
        var eventLoop: any EventLoop
        var receiver: NIOLoopBound<any LiveFanOutReceiver>
    }

    package init(allocator: ByteBufferAllocator = ByteBufferAllocator()) { self.allocator = allocator }

    // MARK: The publisher's side, on its event loop

    /// Begins a push. A push that was not ended is replaced.
    ///
    /// - Parameters:
    ///   - tracks: the tracks; units refer to them by position.
    ///   - eventLoop: the publisher's event loop.
    package func begin(tracks: [LiveReaderTrack], on eventLoop: any EventLoop) {
        state.withLock { state in
            state.broadcastCount += 1
            let broadcast = LiveBroadcast(identifier: state.broadcastCount, tracks: tracks)
            state.broadcast = broadcast
            state.kept = KeptUnits(tracks: tracks)
            Self.deliver(.began(broadcast), to: state)
        }
    }

    /// Announces parameter sets that came in band, or changed.
    package func updateConfiguration(_ configuration: CodecConfiguration, trackIndex: Int) {
        state.withLock { state in
            guard let broadcast = state.broadcast, broadcast.tracks.indices.contains(trackIndex),
                broadcast.tracks[trackIndex].configuration != configuration
            else { return }
            state.broadcast?.tracks[trackIndex].configuration = configuration
            Self.deliver(.configured(configuration, trackIndex: trackIndex), to: state)
        }
    }

    /// Delivers a unit to all readers.
    package func publish(_ unit: AccessUnit, trackIndex: Int) {
        let unit = LiveUnit(unit: unit.compacted(allocator: allocator), trackIndex: trackIndex)
        state.withLock { state in
            guard state.broadcast != nil else { return }
            state.kept.append(unit)
            Self.deliver(.unit(unit), to: state)
        }
    }

    /// Ends the push. Has no effect after the first call.
    package func end() {
        state.withLock { state in
            guard state.broadcast != nil else { return }
            state.broadcast = nil
            state.kept = KeptUnits(tracks: [])
            Self.deliver(.ended, to: state)
        }
    }

    /// Delivers an event under the lock, so that one publisher's end cannot be overtaken by the next one's beginning.
    /// Only another loop's first or last reader waits for the lock.
    private static func deliver(_ event: LiveFanOutEvent, to state: borrowing State) {
        for subscription in state.subscriptions {
            subscription.eventLoop.execute {
                subscription.receiver.value.receive(event, subscription: subscription.identifier)
            }
        }
    }

    // MARK: The readers' side

    /// True if any loop has readers.
    var isRead: Bool { state.withLock { !$0.subscriptions.isEmpty } }

    /// The current push; `nil` if there is none.
    package var broadcast: LiveBroadcast? { state.withLock { $0.broadcast } }

    /// The last key frame of the current push, and its track; `nil` if there is none.
    package var keyFrame: (unit: AccessUnit, track: LiveReaderTrack)? {
        state.withLock { state in
            guard let unit = state.kept.keyFrame, let tracks = state.broadcast?.tracks,
                tracks.indices.contains(unit.trackIndex)
            else { return nil }
            return (unit.unit, tracks[unit.trackIndex])
        }
    }

    /// Delivers events from now on to the receiver, on its loop, in order. Readers of a protocol that are many share a
    /// receiver on each loop.
    package func subscribe(_ receiver: any LiveFanOutReceiver, on eventLoop: any EventLoop) -> LiveSubscription {
        let receiver = NIOLoopBound(receiver, eventLoop: eventLoop)
        return state.withLock { state in
            state.subscriptionCount += 1
            state.subscriptions.append(
                Subscription(identifier: state.subscriptionCount, eventLoop: eventLoop, receiver: receiver))
            return LiveSubscription(
                identifier: state.subscriptionCount, broadcast: state.broadcast, units: state.kept.units)
        }
    }

    /// Ends a subscription. Events that are on their way still arrive.
    package func unsubscribe(_ identifier: Int) {
        state.withLock { state in state.subscriptions.removeAll { $0.identifier == identifier } }
    }
}
