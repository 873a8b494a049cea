package import Foundation
import GRDB

/// A piece of work on one file, as operators see it: its place in the catalogue outlives the server.
package struct JobRecord: Sendable, Codable, Equatable {
    /// Ascending with the time of its coming, and never given twice.
    package var number: Int64
    package var kind: JobKind
    /// Of the title or track; `nil` while there is none.
    package var subject: String?
    /// In which half of the library the subject is.
    package var section: String?
    /// As the record has it, or is going to.
    package var file: String
    /// Where it comes from, for what is fetched from elsewhere.
    package var origin: String?
    /// What exactly is asked for, in the words of the job's kind.
    package var parameters: String?
    /// Of what is brought from there, once that is known.
    package var byteCount: Int64?
    package var state: JobState
    /// What the worker says it is doing, where the state is not precise enough.
    package var phase: String?
    /// 0 to 1, where it can be told.
    package var progress: Double?
    package var error: String?
    /// For people: what happened on the way that is no error, such as why a file was converted.
    package var message: String?
    /// How often it has been begun.
    package var attempt: Int
    /// Higher ones go first.
    package var priority: Int
    package var createdAt: Date
    package var startedAt: Date?
    package var endedAt: Date?

    package init(
        number: Int64, kind: JobKind, subject: String? = nil, section: String? = nil, file: String,
        origin: String? = nil, parameters: String? = nil, state: JobState = .queued, priority: Int = 0, createdAt: Date
    ) {
        self.number = number
        self.kind = kind
        self.subject = subject
        self.section = section
        self.file = file
        self.origin = origin
        self.parameters = parameters
        self.state = state
        attempt = 0
        self.priority = priority
        self.createdAt = createdAt
    }
}

/// What a job is for. Each use case has its own: a new one needs no change here.
package struct JobKind: RawRepresentable, Hashable, Sendable, Codable, DatabaseValueConvertible {
    package var rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let title = JobKind(rawValue: "title")
    package static let track = JobKind(rawValue: "track")
    package static let poster = JobKind(rawValue: "poster")
    package static let storyboard = JobKind(rawValue: "storyboard")
    /// Brings a file from elsewhere.
    package static let download = JobKind(rawValue: "import")
    /// Makes a title's other qualities.
    package static let ladder = JobKind(rawValue: "ladder")
}

/// How far a job has come.
package enum JobState: String, Sendable, Codable, CaseIterable {
    case queued
    case downloading
    case probing
    case indexing
    case transcoding
    case ready
    case failed
    case cancelled

    /// Nothing more will happen by itself.
    package var isFinal: Bool { [.ready, .failed, .cancelled].contains(self) }
}

extension JobState {
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

extension JobRecord: FetchableRecord, PersistableRecord {
    package static let databaseTableName = "job"
}
