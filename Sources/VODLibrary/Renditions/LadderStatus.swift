package import Transcoding

/// The state of a title's ladder, for operators.
package struct LadderStatus: Sendable, Hashable {
    /// The state of a ladder.
    package enum State: String, Sendable, Hashable {
        /// No ladder has been requested.
        case none
        case queued
        case transcoding
        case ready
        case failed
        case cancelled
    }

    package var titleID: String
    package var state: State
    /// The number of the job that makes the ladder, while there is one.
    package var job: Int64?
    /// Progress from 0 to 1, while the ladder is being made.
    package var progress: Double?
    package var error: String?
    /// libav's name of the encoder.
    package var encoder: String?
    /// The renditions, best first; empty until they have been chosen.
    package var rungs: [LadderRung] = []
    package var omitted: [OmittedPreset] = []
}

extension LadderStatus.State {
    /// The state after an ending; `nil` if it is as if nobody had requested a ladder.
    init?(_ ending: LadderManifest.Ending) {
        switch ending {
        case .ready: self = .ready
        case .failed: self = .failed
        case .cancelled: self = .cancelled
        case .dropped: return nil
        }
    }
}
