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
    /// 0 to 1, while it is being made.
    package var progress: Double?
    package var error: String?
    /// libav's name.
    package var encoder: String?
    /// The best first; empty until they are chosen.
    package var rungs: [LadderRung] = []
    package var omitted: [OmittedPreset] = []
}

/// How far a ladder is, told by several workers at once.
final class LadderProgress: Sendable {
    private let state = Mutex<(done: Double, running: [Int: Double])>((0, [:]))
    private let total: Double

    /// - Parameter total: of everything that is to be done, in seconds of media.
    init(total: Double) { self.total = max(total, 0.001) }

    var fraction: Double {
        state.withLock { state in min(1, (state.done + state.running.values.reduce(0, +)) / total) }
    }

    /// - Parameter seconds: done of a piece of work that is going on.
    func update(_ work: Int, seconds: Double) { state.withLock { $0.running[work] = seconds } }

    func finish(_ work: Int, seconds: Double) {
        state.withLock { state in
            state.running[work] = nil
            state.done += seconds
        }
    }
}
