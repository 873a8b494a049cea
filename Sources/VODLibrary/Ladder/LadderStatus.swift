package import LibAV
import Synchronization

/// A title's other qualities, and how their making gets on, as operators see it.
package struct LadderStatus: Sendable, Hashable {
    package enum State: String, Sendable, Hashable {
        /// Nobody has asked for any.
        case none
        case queued
        case transcoding
        case ready
        case failed
        case cancelled
    }

    package var titleID: String
    package var state: State
    /// The number of the job that makes them, while there is one.
    package var job: Int64?
    /// 0 to 1, while it is being made.
    package var progress: Double?
    package var error: String?
    /// libav's name.
    package var encoder: String?
    /// The best first; empty until they are chosen.
    package var rungs: [LadderRung] = []
    package var omitted: [OmittedPreset] = []
}

extension LadderStatus.State {
    /// `nil` where it is as if nobody had asked.
    init?(_ ending: LadderManifest.Ending) {
        switch ending {
        case .ready: self = .ready
        case .failed: self = .failed
        case .cancelled: self = .cancelled
        case .dropped: return nil
        }
    }
}

/// How far a ladder is, told by several workers at once.
final class LadderProgress: Sendable {
    private let state = Mutex<(done: Double, running: [Int: Double])>((0, [:]))
    private let total: Double
    private let report: @Sendable (Double) -> Void

    /// - Parameters:
    ///   - total: of everything that is to be done, in seconds of media.
    ///   - report: gets 0 to 1, on any thread.
    init(total: Double, report: @escaping @Sendable (Double) -> Void) {
        self.total = max(total, 0.001)
        self.report = report
    }

    /// - Parameter seconds: done of a piece of work that is going on.
    func update(_ work: Int, seconds: Double) { change { $0.running[work] = seconds } }

    func finish(_ work: Int, seconds: Double) {
        change { state in
            state.running[work] = nil
            state.done += seconds
        }
    }

    private func change(_ body: (inout (done: Double, running: [Int: Double])) -> Void) {
        // Told in their order.
        state.withLock { state in
            body(&state)
            report(min(1, (state.done + state.running.values.reduce(0, +)) / total))
        }
    }
}
