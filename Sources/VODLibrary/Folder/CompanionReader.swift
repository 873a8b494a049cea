import Catalogue
import Foundation
import LibraryCore
import LibraryDetails
import LogMetadata
import Logging
import MediaCore
import MediaFolders
import NIOPosix

/// Reads the notes and finds the images beside media files, and tells the catalogue of new ones.
actor CompanionReader {
    private let context: LibraryContext
    private let known: KnownRecords
    /// The marks of read files, by the ID of the title or track; read from the catalogue at the first use.
    private var marks: [LibrarySection: [String: String]] = [:]

    /// Number of titles or tracks that are written in one transaction.
    private static let batchSize = 100

    init(context: LibraryContext, known: KnownRecords) {
        (self.context, self.known) = (context, known)
    }

    /// Compares the files of a complete scan with what was read before.
    ///
    /// - Returns: the IDs of the titles or tracks whose image may have changed.
    func read(_ listing: FolderListing, in section: LibrarySection) async throws -> [String] {
        let marks = try await knownMarks(in: section)
        guard !listing.companions.isEmpty || !marks.isEmpty else { return [] }
        var changed: [(id: String, companions: Companions)] = []
        for (name, record) in known.records(in: section) where listing.couldSee(name) {
            let companions = Companions(of: name, in: section, listing.companions)
            if companions.mark != marks[record.id] { changed.append((record.id, companions)) }
        }
        var withImages: [String] = []
        for start in stride(from: 0, to: changed.count, by: Self.batchSize) {
            let batch = Array(changed[start..<min(start + Self.batchSize, changed.count)])
            let found = try await context.threadPool.runIfActive {
                batch.map { entry in (id: entry.id, companions: entry.companions, read: entry.companions.read()) }
            }
            for failure in found.flatMap(\.read.failures) {
                context.logger.warning(
                    "metadata file beside a media file could not be read",
                    metadata: [.file: "\(failure.name)", .reason: "\(failure.reason)"])
            }
            let written = try await context.catalogue.note(
                found.map { entry in
                    ItemNotes(
                        id: entry.id, details: entry.read.details, image: entry.companions.imageReference,
                        mark: entry.companions.mark)
                }, ofTitles: section == .titles)
            for entry in batch where written.contains(entry.id) {
                self.marks[section]?[entry.id] = entry.companions.mark
                withImages.append(entry.id)
            }
        }
        return withImages
    }

    private func knownMarks(in section: LibrarySection) async throws -> [String: String] {
        if let known = marks[section] { return known }
        let read = try await context.catalogue.noteMarks(ofTitles: section == .titles)
        marks[section] = read
        return read
    }

    /// The files beside one media file.
    private struct Companions: Sendable {
        var notes: [CompanionFiles.File]
        var image: CompanionFiles.File?

        init(of name: String, in section: LibrarySection, _ files: CompanionFiles) {
            notes = files.notes(about: name, in: section)
            image = files.image(of: name, in: section)
        }

        /// A text that changes when one of the files does; `nil` without any.
        var mark: String? {
            let files = notes + (image.map { [$0] } ?? [])
            return files.isEmpty ? nil : files.map { "\($0.revision) \($0.name)" }.joined(separator: "\n")
        }

        var imageReference: PosterFile? { image.map { PosterFile(path: $0.path, revision: $0.revision) } }

        /// Reads the notes. Blocks while it reads files.
        func read() -> (details: ItemDetails, failures: [(name: String, reason: String)]) {
            var (details, failures) = (ItemDetails(), [(name: String, reason: String)]())
            for note in notes {
                guard note.byteCount <= NFONotes.maximumByteCount else {
                    failures.append((note.name, "larger than \(NFONotes.maximumByteCount >> 10) KiB"))
                    continue
                }
                do {
                    let file = try FileHandle(forReadingFrom: URL(filePath: note.path))
                    defer { try? file.close() }
                    // It may have grown since it was found.
                    let bytes = try file.read(upToCount: NFONotes.maximumByteCount) ?? Data()
                    details = details.over(try NFONotes.read([UInt8](bytes)))
                } catch {
                    failures.append((note.name, "\(FileErrorText(error))"))
                }
            }
            return (details, failures)
        }
    }
}
