import Catalogue
import LibraryCore
import Synchronization

/// The catalogue's records as the scanner compares them with the media folder. They are read once; each write of a
/// record is noted here, so that scans need not read the catalogue again.
///
/// The lock is held for a look-up or a change only, never over a wait.
final class KnownRecords: Sendable {
    private struct State {
        var files: [LibrarySection: KnownFiles] = [:]
        var isComplete = false
        var readyCounts: [LibrarySection: Int] = [:]

        mutating func note(_ record: some CatalogueRecord, in section: LibrarySection) {
            files[section, default: KnownFiles()][record.file] = KnownRecord(record)
            if record.state == .ready { readyCounts[section, default: 0] += 1 }
        }
    }

    private let state = Mutex(State())

    /// Reads the catalogue, unless that has been done.
    func read(from catalogue: any CatalogueStore) async throws {
        guard !state.withLock({ $0.isComplete }) else { return }
        try await read(from: catalogue) { _ in
        } tracks: { _ in
        }
    }

    /// Reads the catalogue for the caller as well, batch by batch.
    func read(
        from catalogue: any CatalogueStore, titles: ([TitleRecord]) async throws -> Void,
        tracks: ([AudioTrackRecord]) async throws -> Void
    ) async throws {
        try await catalogue.forEachBatchOfTitles { batch in
            take(batch, in: .titles)
            try await titles(batch)
        }
        try await catalogue.forEachBatchOfTracks { batch in
            take(batch, in: .tracks)
            try await tracks(batch)
        }
        state.withLock { $0.isComplete = true }
    }

    /// Takes records of the catalogue, unless all have been taken.
    private func take(_ records: [some CatalogueRecord], in section: LibrarySection) {
        state.withLock { state in
            guard !state.isComplete else { return }
            // Records noted meanwhile are newer.
            for record in records where state.files[section]?[record.file] == nil {
                state.files[section, default: KnownFiles()][record.file] = KnownRecord(record)
            }
        }
    }

    /// The record of a file; `nil` if there is none.
    func record(ofFile name: String, in section: LibrarySection) -> KnownRecord? {
        state.withLock { $0.files[section]?[name] }
    }

    /// All records of a section, keyed by file name.
    func records(in section: LibrarySection) -> [String: KnownRecord] {
        state.withLock { $0.files[section]?.byName ?? [:] }
    }

    /// The names of the files with that revision.
    func names(ofRevision revision: String, in section: LibrarySection) -> Set<String> {
        state.withLock { $0.files[section]?.names(ofRevision: revision) ?? [] }
    }

    /// Number of times that a record of the section has been noted as ready. A search for ready records compares it
    /// with the number at its last run.
    func readyCount(in section: LibrarySection) -> Int { state.withLock { $0.readyCounts[section] ?? 0 } }

    /// Notes a record that was written.
    func note(_ record: some CatalogueRecord, in section: LibrarySection) {
        state.withLock { $0.note(record, in: section) }
    }

    /// Notes a record that may be older than what is known of its file; does nothing if something is known.
    func noteUnlessKnown(_ record: some CatalogueRecord, in section: LibrarySection) {
        state.withLock { state in
            if state.files[section]?[record.file] == nil { state.note(record, in: section) }
        }
    }

    /// Notes that a record has another file name.
    func noteMove(from name: String, to record: some CatalogueRecord, in section: LibrarySection) {
        state.withLock { state in
            state.files[section]?[name] = nil
            state.files[section, default: KnownFiles()][record.file] = KnownRecord(record)
        }
    }

    /// Notes that the record of a file was removed.
    func remove(file name: String, in section: LibrarySection) { state.withLock { $0.files[section]?[name] = nil } }
}
