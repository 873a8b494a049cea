package import Catalogue
package import Foundation

/// One piece of work on one file.
struct IngestJob: Sendable, Hashable {
    var task: Task
    /// Of the title or track.
    var id: String
    var fileName: String

    enum Task: Sendable, Hashable, CaseIterable {
        /// A title that may play as it is.
        case indexing
        /// A title that cannot.
        case conversion
        case track
        /// For a title that already plays.
        case poster
        /// For a title that already plays, when there is nothing else to do.
        case storyboard
        /// A file that comes from elsewhere; `id` is the job's number.
        case download
        /// Other qualities of a title that already plays.
        case ladder
    }

    /// What a record needs first.
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
    /// As operators see it: a title that is looked at first and then converted is one job.
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

    /// Whether looks at the folder leave the file alone while it waits or is being done. Other qualities take hours, in
    /// which a file that is replaced has to be noticed.
    var holdsFile: Bool { self != .ladder }

    var section: LibrarySection { self == .track ? .tracks : .titles }

    /// What a record is said to be doing until the job says more.
    var state: TitleState {
        switch self {
        case .indexing: .indexing
        case .conversion, .ladder: .transcoding
        case .track, .poster, .storyboard, .download: .probing
        }
    }
}

/// Jobs that wait for one another. What takes milliseconds does not wait for what takes seconds, nor that for what
/// takes hours.
enum IngestLane: Sendable, Hashable, CaseIterable {
    case indexing
    /// Sound and pictures.
    case short
    case conversion
    /// What nobody waits for.
    case background
    case download
    /// Takes all the cores there are for one title, so titles come one after the other.
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

    /// In the order in which they are done: a title plays without its poster, a track is nothing without its job.
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
    /// Of the title or track.
    package var id: String
    package var kind: JobKind
    package var file: String
    package var state: TitleState
    /// 0 to 1, where it can be told.
    package var progress: Double?
    package var startedAt: Date?
}
