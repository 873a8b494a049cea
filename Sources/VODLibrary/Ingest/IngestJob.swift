package import Foundation

/// One piece of work on one file.
struct IngestJob: Sendable, Hashable {
    enum Task: Sendable, Hashable {
        case title
        case track
        /// A poster for a title that already plays.
        case poster
    }

    var task: Task
    /// Of the title or track.
    var id: String
    var fileName: String

    /// Lower goes first: what may be playable in milliseconds, then sound, then conversions, pictures last.
    var rank: Int {
        switch task {
        case .title: MediaKind.movieExtensions.contains(MediaKind.fileExtension(of: fileName)) ? 0 : 2
        case .track: 1
        case .poster: 3
        }
    }
}

/// A job as operators see it.
package struct JobStatus: Sendable, Codable, Hashable {
    package enum Kind: String, Sendable, Codable {
        case title
        case track
        case poster
    }

    /// Of the title or track.
    package var id: String
    package var kind: Kind
    package var file: String
    package var state: String
    /// 0 to 1, where it can be told.
    package var progress: Double?
    package var startedAt: Date?
}
