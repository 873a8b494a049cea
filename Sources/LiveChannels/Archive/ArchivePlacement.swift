import Packaging
import Synchronization

/// What has become of a segment that was handed to the archive. It is in memory until it is on disk, so that it can be
/// read all the time.
final class ArchivePlacement: Sendable {
    enum Media: Sendable {
        /// Not written yet.
        case memory(LiveSegment)
        case stored(StoredSegment)
        /// A hole: the disk was full, or too slow.
        case missing
    }

    private let state: Mutex<Media>

    init(_ media: Media) { state = Mutex(media) }

    var media: Media { state.withLock { $0 } }

    func resolve(_ stored: StoredSegment?) { state.withLock { $0 = stored.map { .stored($0) } ?? .missing } }
}
