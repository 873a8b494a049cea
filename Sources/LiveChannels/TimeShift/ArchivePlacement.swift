import Packaging
import Synchronization

/// The place of a segment of the time shift. A segment that was handed to the archive stays in memory until it is on
/// disk, so that it can be read at any time.
final class ArchivePlacement: Sendable {
    enum Media: Sendable {
        /// The segment is not written yet.
        case memory(LiveSegment)
        /// The segment stands in for the time before its rendition had media. It stays in memory and is never written.
        case kept(LiveSegment)
        case stored(StoredSegment)
        /// The segment is a hole: the disk was full, or too slow.
        case missing
    }

    private let state: Mutex<Media>

    init(_ media: Media) { state = Mutex(media) }

    var media: Media { state.withLock { $0 } }

    func resolve(_ stored: StoredSegment?) { state.withLock { $0 = stored.map { .stored($0) } ?? .missing } }
}
