import Dispatch
import Foundation
import Glibc
import Packaging
import Synchronization

/// What a channel keeps on disk for those who look back: movies that lie there for that alone, and a journal for each
/// movie, recordings among them. It goes when nobody can ask for anything in it any more, and stays when the server
/// ends: the next one takes it up.
final class WindowFolder: Sendable {
    let path: String
    private let queue: DispatchQueue
    private let isKept = Atomic<Bool>(false)

    static let movieSuffix = ".mp4"

    /// - Parameter queue: of the archive's writer.
    init(path: String, queue: DispatchQueue) {
        self.path = path
        self.queue = queue
    }

    /// Makes it where there is none.
    func make() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    func moviePath(stem: String) -> String { "\(path)/\(stem)\(Self.movieSuffix)" }
    func journalPath(stem: String) -> String { "\(path)/\(stem)\(ArchiveJournal.suffix)" }

    /// From now on nothing goes: whoever still holds on to a file does so because the server ends.
    func keepAll() { isKept.store(true, ordering: .relaxed) }

    /// What becomes of a movie of that name when nobody can ask for it any more.
    func disposal(ofStem stem: String, isRecording: Bool) -> @Sendable (MediaFile) -> Void {
        { [self] file in
            // The last one that knew of it may have been an event loop, and the file may be large; where it is a
            // recording whose title has been deleted, closing it is when the disk gets its room back.
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

    /// The journals that are there, with the movies that they are of.
    ///
    /// - Parameter recordings: where the channel's recordings lie.
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

    /// Deletes journals without a movie, and movies without a journal. The folder stays: an operator may have put it on
    /// another disk.
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
