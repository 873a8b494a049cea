/// Progress of a job.
package enum JobState: String, Sendable, Codable, CaseIterable {
    case queued
    case downloading
    case probing
    case indexing
    case transcoding
    case ready
    case failed
    case cancelled

    /// Whether the job has ended.
    package var isFinal: Bool { [.ready, .failed, .cancelled].contains(self) }
}

extension JobState {
    /// The state of the job that makes a title of this state.
    package init(_ state: TitleState) {
        switch state {
        case .queued: self = .queued
        case .probing: self = .probing
        case .indexing: self = .indexing
        case .transcoding: self = .transcoding
        case .ready: self = .ready
        case .failed: self = .failed
        case .cancelled: self = .cancelled
        }
    }
}
