package import Codecs
package import MediaCore
package import NIOCore
import Synchronization

/// Takes what a publisher sends to every event loop on which the channel is read: one hop a unit for each of them,
/// however many readers it has.
///
/// The units since the last key frame are kept even while nobody reads, so that the first reader starts at once, too.
/// That costs one copy of the bytes and the memory of a group of pictures: 0.6 MB for two seconds of 2.5 Mbit/s.
package final class LiveFanOut: Sendable {
    private let state = Mutex(State())
    private let allocator: ByteBufferAllocator

    private struct State {
        var broadcast: LiveBroadcast?
        var broadcastCount = 0
        var kept = KeptUnits(tracks: [])
        var subscriptionCount = 0
        /// One a loop, so they are as few as the machine's cores.
        var subscriptions: [Subscription] = []
    }

    private struct Subscription: Sendable {
        var identifier: Int
        var eventLoop: any EventLoop
        var receiver: NIOLoopBound<any LiveFanOutReceiver>
    }

    package init(allocator: ByteBufferAllocator = ByteBufferAllocator()) { self.allocator = allocator }

    // MARK: The publisher's side, on its event loop

    /// A push begins. One that was not ended is over with it.
    ///
    /// - Parameter tracks: units name them by their position.
    package func begin(tracks: [LiveReaderTrack], on eventLoop: any EventLoop) {
        state.withLock { state in
            state.broadcastCount += 1
            let broadcast = LiveBroadcast(identifier: state.broadcastCount, tracks: tracks)
            state.broadcast = broadcast
            state.kept = KeptUnits(tracks: tracks)
            Self.deliver(.began(broadcast), to: state)
        }
    }

    /// Parameter sets that came in band, or changed.
    package func updateConfiguration(_ configuration: CodecConfiguration, trackIndex: Int) {
        state.withLock { state in
            guard let broadcast = state.broadcast, broadcast.tracks.indices.contains(trackIndex),
                broadcast.tracks[trackIndex].configuration != configuration
            else { return }
            state.broadcast?.tracks[trackIndex].configuration = configuration
            Self.deliver(.configured(configuration, trackIndex: trackIndex), to: state)
        }
    }

    package func publish(_ unit: AccessUnit, trackIndex: Int) {
        let unit = LiveUnit(unit: unit.compacted(allocator: allocator), trackIndex: trackIndex)
        state.withLock { state in
            guard state.broadcast != nil else { return }
            state.kept.append(unit)
            Self.deliver(.unit(unit), to: state)
        }
    }

    /// The push is over. Calling it again changes nothing.
    package func end() {
        state.withLock { state in
            guard state.broadcast != nil else { return }
            state.broadcast = nil
            state.kept = KeptUnits(tracks: [])
            Self.deliver(.ended, to: state)
        }
    }

    /// Under the lock, so that one publisher's end cannot be overtaken by the next one's beginning. Nothing waits for
    /// it but another loop's first reader, or its last.
    private static func deliver(_ event: LiveFanOutEvent, to state: borrowing State) {
        for subscription in state.subscriptions {
            subscription.eventLoop.execute {
                subscription.receiver.value.receive(event, subscription: subscription.identifier)
            }
        }
    }

    // MARK: The readers' side

    /// Some loop has readers.
    var isRead: Bool { state.withLock { !$0.subscriptions.isEmpty } }

    /// What is being pushed; `nil` while nothing is.
    package var broadcast: LiveBroadcast? { state.withLock { $0.broadcast } }

    /// Events from now on go to the receiver, on its loop, in order. One receiver a loop: a second one takes the
    /// first one's place.
    package func subscribe(_ receiver: any LiveFanOutReceiver, on eventLoop: any EventLoop) -> LiveSubscription {
        let receiver = NIOLoopBound(receiver, eventLoop: eventLoop)
        return state.withLock { state in
            state.subscriptionCount += 1
            state.subscriptions.removeAll { $0.eventLoop === eventLoop }
            state.subscriptions.append(
                Subscription(identifier: state.subscriptionCount, eventLoop: eventLoop, receiver: receiver))
            return LiveSubscription(
                identifier: state.subscriptionCount, broadcast: state.broadcast, units: state.kept.units)
        }
    }

    /// Events that are on their way still arrive.
    package func unsubscribe(on eventLoop: any EventLoop) {
        state.withLock { state in state.subscriptions.removeAll { $0.eventLoop === eventLoop } }
    }
}

/// What a loop's readers start with.
package struct LiveSubscription: Sendable {
    /// Unique within the channel; events carry it.
    package var identifier: Int
    /// What is being pushed; `nil` while nothing is.
    package var broadcast: LiveBroadcast?
    /// Since the last key frame; empty where that is too much, or there is no video.
    package var units: [LiveUnit]
}

package struct LiveUnit: Sendable {
    package var unit: AccessUnit
    /// Position in the broadcast.
    package var trackIndex: Int
}

/// What a loop's readers are told, in order.
package enum LiveFanOutEvent: Sendable {
    case began(LiveBroadcast)
    case configured(CodecConfiguration, trackIndex: Int)
    case unit(LiveUnit)
    case ended
}

/// Confined to the event loop that it subscribes on.
package protocol LiveFanOutReceiver: AnyObject {
    /// - Parameter subscription: its identifier. Events of an earlier one may still be on their way when a new one has
    ///   been made, which has begun with what they tell.
    func receive(_ event: LiveFanOutEvent, subscription: Int)
}
