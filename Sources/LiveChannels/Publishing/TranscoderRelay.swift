import MediaCore
import NIOCore
import Synchronization

/// Brings a transcoder's output from its thread to the publisher's event loop: one task on the loop for all that has
/// come since the last one, and never more than a bounded number of units.
final class TranscoderRelay: Sendable {
    private let eventLoop: any EventLoop
    private let state: Mutex<State>

    /// Units on their way to the loop: over a second of audio or video. A loop that is further behind has lost
    /// pictures already; what comes then is dropped up to the next random access point.
    static let maximumUnitCount = 64

    fileprivate struct State {
        var pending: [LiveTranscoderOutput] = []
        var pendingUnitCount = 0
        var isScheduled = false
        /// A unit was dropped: those up to the next random access point cannot be decoded.
        var isSkipping = false
        var droppedUnitCount = 0
        var isClosed = false
        /// On the event loop.
        var deliver: (@Sendable (Delivery) -> Void)?
    }

    /// What one task brings.
    struct Delivery: Sendable {
        var outputs: [LiveTranscoderOutput]
        /// Since the delivery before.
        var droppedUnitCount: Int
    }

    /// - Parameter deliver: called on the event loop.
    init(eventLoop: any EventLoop, deliver: @escaping @Sendable (Delivery) -> Void) {
        self.eventLoop = eventLoop
        state = Mutex(State(deliver: deliver))
    }

    /// On any thread.
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

    /// Nothing is delivered any more, and whoever it was delivered to is let go.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.pending = []
            state.deliver = nil
        }
    }
}

extension TranscoderRelay.State {
    /// Parameters and failures, a handful in a transcoder's life, are always kept.
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
