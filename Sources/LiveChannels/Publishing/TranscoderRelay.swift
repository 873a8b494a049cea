import MediaCore
import NIOCore
import Synchronization

/// Brings a transcoder's output from its thread to the publisher's event loop, with one task on the loop for everything
/// that has arrived since the last one, and never more than a bounded number of units.
final class TranscoderRelay<Output: RelayedOutput>: Sendable {
    private let eventLoop: any EventLoop
    private let state: Mutex<State>

    /// Limit on units on their way to the loop: over a second of audio or video. A loop that is later than that has
    /// lost frames already; further units are dropped up to the next random access point.
    static var maximumUnitCount: Int { 64 }

    /// Units that depend on each other.
    fileprivate struct Lane {
        var pendingUnitCount = 0
        /// True if a unit was dropped; units up to the next random access point cannot be decoded.
        var isSkipping = false
    }

    fileprivate struct State {
        var pending: [Output] = []
        /// The state of each lane.
        var lanes: [Int: Lane] = [:]
        var isScheduled = false
        var droppedUnitCount = 0
        var isClosed = false
        /// Called on the event loop; `nil` after ``close()``.
        var deliver: (@Sendable (Delivery) -> Void)?
    }

    /// The output that one task on the loop delivers.
    struct Delivery: Sendable {
        var outputs: [Output]
        /// Number of units dropped since the previous delivery.
        var droppedUnitCount: Int
    }

    /// - Parameter deliver: called on the event loop.
    init(eventLoop: any EventLoop, deliver: @escaping @Sendable (Delivery) -> Void) {
        self.eventLoop = eventLoop
        state = Mutex(State(deliver: deliver))
    }

    /// Takes output from the transcoder. Callable from any thread.
    func receive(_ output: Output) {
        let mustSchedule = state.withLock { state in
            guard !state.isClosed else { return false }
            state.keep(output)
            guard !state.isScheduled else { return false }
            state.isScheduled = true
            return true
        }
        if mustSchedule { eventLoop.execute { self.drain() } }
    }

    private func drain() {
        let (delivery, deliver) = state.withLock { state in
            let delivery = Delivery(outputs: state.pending, droppedUnitCount: state.droppedUnitCount)
            state.pending = []
            for lane in state.lanes.keys { state.lanes[lane]?.pendingUnitCount = 0 }
            state.droppedUnitCount = 0
            state.isScheduled = false
            return (delivery, state.deliver)
        }
        deliver?(delivery)
    }

    /// Stops the delivery and releases the receiver.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.pending = []
            state.deliver = nil
        }
    }
}

extension TranscoderRelay.State {
    /// Keeps an output for the next delivery. Parameters and failures, a handful in a transcoder's life, are never
    /// dropped.
    fileprivate mutating func keep(_ output: Output) {
        if let unit = output.relayedUnit {
            var lane = lanes[unit.lane] ?? .init()
            defer { lanes[unit.lane] = lane }
            if lane.isSkipping, unit.isRandomAccessPoint { lane.isSkipping = false }
            guard !lane.isSkipping, lane.pendingUnitCount < TranscoderRelay.maximumUnitCount else {
                lane.isSkipping = true
                droppedUnitCount += 1
                return
            }
            lane.pendingUnitCount += 1
        }
        pending.append(output)
    }
}

/// Output that a relay brings to another thread.
protocol RelayedOutput: Sendable {
    /// For a unit, the lane of those that it depends on, and whether decoding can begin with it; `nil` for anything
    /// else.
    var relayedUnit: (lane: Int, isRandomAccessPoint: Bool)? { get }
}

extension LiveTranscoderOutput: RelayedOutput {
    var relayedUnit: (lane: Int, isRandomAccessPoint: Bool)? {
        if case .unit(let unit) = self { (0, unit.isRandomAccessPoint) } else { nil }
    }
}

extension LiveLadderOutput: RelayedOutput {
    var relayedUnit: (lane: Int, isRandomAccessPoint: Bool)? {
        if case .unit(let rung, let unit) = self { (rung, unit.isRandomAccessPoint) } else { nil }
    }
}
