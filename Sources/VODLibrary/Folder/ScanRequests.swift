import LibraryCore
import Synchronization

/// The sections to scan again because an event does not tell what has changed, or because a job has found that a file
/// is no longer in its place.
final class ScanRequests: Sendable {
    private let state = Mutex<Set<LibrarySection>>([])

    var sections: Set<LibrarySection> { state.withLock { $0 } }

    func insert(_ section: LibrarySection) { state.withLock { _ = $0.insert(section) } }
    func remove(_ section: LibrarySection) { state.withLock { _ = $0.remove(section) } }
    func contains(_ section: LibrarySection) -> Bool { state.withLock { $0.contains(section) } }
}
