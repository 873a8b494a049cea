package import Catalogue
package import Foundation

/// A unit of work on one file.
struct IngestJob: Sendable, Hashable {
    var task: Task
    /// The ID of the title or track.
    var id: String
    var fileName: String

    enum Task: Sendable, Hashable, CaseIterable {
        /// Indexes a title that may be playable without conversion.
        case indexing
        /// Converts a title that is not playable without conversion.
        case conversion
        case track
        /// Makes the poster of a title that already plays.
        case poster
        /// Makes the storyboard of a title that already plays, when there is nothing else to do.
        case storyboard
        /// Imports a file from elsewhere; `id` is the job's number.
        case download
        /// Makes the adaptive-bitrate ladder of a title that already plays.
        case ladder
    }

    /// The first job for a new or changed record.
    init(section: LibrarySection, id: String, fileName: String) {
        let mayPlayInPlace = MediaKind.movieExtensions.contains(MediaKind.fileExtension(of: fileName))
        self.init(
            task: section == .tracks ? .track : mayPlayInPlace ? .indexing : .conversion, id: id, fileName: fileName)
    }

    init(task: Task, id: String, fileName: String) {
        self.task = task
        self.id = id
        self.fileName = fileName
    }
}

extension IngestJob.Task {
    /// The kind of job that operators see: indexing a title and then converting it is one job.
    var kind: JobKind {
        switch self {
        case .indexing, .conversion: .title
        case .track: .track
        case .poster: .poster
        case .storyboard: .storyboard
        case .download: .download
        case .ladder: .ladder
        }
    }

    /// True if scans of the folder leave the file alone while the job waits or runs. A ladder takes hours, during which
    /// a replaced file has to be noticed.
    var holdsFile: Bool { self != .ladder }

    var section: LibrarySection { self == .track ? .tracks : .titles }

    /// The state of the record until the job reports more.
    var state: TitleState {
        switch self {
        case .indexing: .indexing
        case .conversion, .ladder: .transcoding
        case .track, .poster, .storyboard, .download: .probing
        }
    }
}

/// Groups of jobs that run one after the other. Work of milliseconds does not wait for work of seconds, and that not
/// for work of hours.
enum IngestLane: Sendable, Hashable, CaseIterable {
    case indexing
    /// Tracks and posters.
    case short
    case conversion
    /// Work that nobody waits for.
    case background
    case download
    /// Ladders. Each uses all cores, so titles are processed one after the other.
    case ladder

    init(_ task: IngestJob.Task) {
        switch task {
        case .indexing: self = .indexing
        case .download: self = .download
        case .track, .poster: self = .short
        case .conversion: self = .conversion
        case .storyboard: self = .background
        case .ladder: self = .ladder
        }
    }

    /// The tasks of the lane in order of precedence: a title plays without its poster, but a track does not play
    /// without its job.
    var tasks: [IngestJob.Task] {
        switch self {
        case .indexing: [.indexing]
        case .short: [.track, .poster]
        case .conversion: [.conversion]
        case .background: [.storyboard]
        case .download: [.download]
        case .ladder: [.ladder]
        }
    }
}

/// A job as operators see it.
package struct JobStatus: Sendable, Codable, Hashable {
    /// The ID of the title or track.
    package var id: String
    package var kind: JobKind
    package var file: String
    package var state: TitleState
    /// Progress from 0 to 1; `nil` if it is not known.
    package var progress: Double?
    package var startedAt: Date?
}
