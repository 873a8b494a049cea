import MediaCore
import NIOCore
import Synchronization

/// Brings a transcoder's output from its thread to the publisher's event loop, with one task on the loop for everything
/// that has arrived since the last one, and never more than a bounded number of units.
final class TranscoderRelay: Sendable {
    private let eventLoop: any EventLoop
    private let state: Mutex<State>

    /// Limit on units on their way to the loop: over a second of audio or video. A loop that is later than that has
    /// lost frames already; further units are dropped up to the next random access point.
    static let maximumUnitCount = 64

    fileprivate struct State {
        var pending: [LiveTranscoderOutput] = []
        var pendingUnitCount = 0
        var isScheduled = false
        /// True if a unit was dropped; units up to the next random access point cannot be decoded.
        var isSkipping = false
        var droppedUnitCount = 0
        var isClosed = false
        /// Called on the event loop; `nil` after ``close()``.
        var deliver: (@Sendable (Delivery) -> Void)?
    }

    /// The output that one task on the loop delivers.
    struct Delivery: Sendable {
        var outputs: [LiveTranscoderOutput]
        /// Number of units dropped since the previous delivery.
        var droppedUnitCount: Int
    }

    /// - Parameter deliver: called on the event loop.
    init(eventLoop: any EventLoop, deliver: @escaping @Sendable (Delivery) -> Void) {
        self.eventLoop = eventLoop
        state = Mutex(State(deliver: deliver))
    }

    /// Takes output from the transcoder. Callable from any thread.
    func receive(_ output: LiveTranscoderOutput) {
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
            state.pendingUnitCount = 0
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
    fileprivate mutating func keep(_ output: LiveTranscoderOutput) {
        if case .unit(let unit) = output {
            if isSkipping, unit.isRandomAccessPoint { isSkipping = false }
            guard !isSkipping, pendingUnitCount < TranscoderRelay.maximumUnitCount else {
                isSkipping = true
                droppedUnitCount += 1
                return
            }
            pendingUnitCount += 1
        }
        pending.append(output)
    }
}
