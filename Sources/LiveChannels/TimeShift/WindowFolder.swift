import Dispatch
import Foundation
import Glibc
import Packaging
import Synchronization

/// The folder with a channel's time shift: movies made only for it, and a journal for each movie, including recordings.
/// Files are deleted when nobody can ask for anything in them any more, and stay when the server ends, so that the next
/// one continues with them.
final class WindowFolder: Sendable {
    let path: String
    private let queue: DispatchQueue
    private let isKept = Atomic<Bool>(false)

    static let movieSuffix = ".mp4"

    /// - Parameter queue: the queue of the archive's writer.
    init(path: String, queue: DispatchQueue) {
        self.path = path
        self.queue = queue
    }

    /// Makes the folder if it does not exist.
    func make() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    func moviePath(stem: String) -> String { "\(path)/\(stem)\(Self.movieSuffix)" }
    func journalPath(stem: String) -> String { "\(path)/\(stem)\(ArchiveJournal.suffix)" }

    /// Stops deleting files: from now on, files are released because the server ends.
    func keepAll() { isKept.store(true, ordering: .relaxed) }

    /// The action for a movie that nobody can ask for any more: deletes it, unless it is a recording, and its journal.
    func disposal(ofStem stem: String, isRecording: Bool) -> @Sendable (MediaFile) -> Void {
        { [self] file in
            // The last user of the file may have been an event loop, and the file may be large; if it is a recording
            // whose title has been deleted, closing it is when the disk gets its room back.
            queue.async { [self] in
                withExtendedLifetime(file) {
                    guard !isKept.load(ordering: .relaxed) else { return }
                    if !isRecording { unlink(file.path) }
                    unlink(journalPath(stem: stem))
                }
            }
        }
    }

    // MARK: After a restart

    /// Reads the journals in the folder, and opens the movies that they describe.
    ///
    /// - Parameter recordings: the folder of the channel's recordings.
    func sources(recordings: String) -> [RestoredArchive.Source] {
        names(endingIn: ArchiveJournal.suffix).compactMap { name in
            let stem = String(name.dropLast(ArchiveJournal.suffix.count))
            guard let journal = ArchiveJournalFile.read(path: journalPath(stem: stem)) else { return nil }
            let path = journal.recordingName.map { "\(recordings)/\($0)" } ?? moviePath(stem: stem)
            guard
                let movie = try? ArchiveMovie(
                    path: path, onRelease: disposal(ofStem: stem, isRecording: journal.recordingName != nil))
            else { return nil }
            return RestoredArchive.Source(stem: stem, journal: journal, movie: movie)
        }
    }

    /// Deletes journals without a movie, and movies without a journal. The folder stays, because an operator may have
    /// put it on another disk.
    func deleteOrphans(besides sources: [RestoredArchive.Source]) {
        let stems = Set(sources.map(\.stem))
        for suffix in [Self.movieSuffix, ArchiveJournal.suffix] {
            for name in names(endingIn: suffix) where !stems.contains(String(name.dropLast(suffix.count))) {
                unlink("\(path)/\(name)")
            }
        }
    }

    private func names(endingIn suffix: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { $0.hasSuffix(suffix) }
    }
}
