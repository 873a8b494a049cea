package import Catalogue
import Foundation
import NIOPosix
package import Packaging

/// The record of a file that has been taken into the library.
package enum IngestedItem: Sendable {
    case title(TitleRecord)
    case track(AudioTrackRecord)
}

extension VODLibrary {
    /// Takes a local file into the library. A file from outside the media folder is copied into it first.
    ///
    /// - Returns: the record. It is ready if ingesting took only a moment, otherwise queued; the record of a known file
    ///   is returned unchanged.
    /// - Throws: ``LibraryError`` if the file is not accepted or cannot be copied.
    package func ingest(path: String) async throws -> IngestedItem {
        let (section, file) = try await importer.bringIn(path: path)
        return try await takeIn(file, to: section)
    }

    /// Takes a finished recording into the library at once, before the next scan finds it.
    ///
    /// - Parameters:
    ///   - name: the recording's name in the catalogue.
    ///   - title: the title that the file has; `nil` until it has been read.
    /// - Returns: `nil` if there is no such file.
    package func ingest(recording name: String, title: String? = nil) async throws -> TitleRecord? {
        let folder = MediaFolder(section: .titles, configuration: configuration)
        guard let file = try await threadPool.runIfActive({ folder.recording(named: name) }),
            case .title(var record) = try await takeIn(file, to: .titles)
        else { return nil }
        if let title { record.title = title }
        return record
    }

    /// Opens a title for packaging; `nil` if the title is not ready.
    ///
    /// - Throws: the errors of reading the file.
    package nonisolated func packagedTitle(_ record: TitleRecord) async throws -> PackagedTitle? {
        guard record.state == .ready, let path = record.mediaPath else { return nil }
        return try await cache.title(path: path)
    }

    /// Opens a track for packaging; `nil` if the track is not ready.
    package nonisolated func packagedTrack(_ record: AudioTrackRecord) async throws -> PackagedTitle? {
        guard record.state == .ready, let path = record.mediaPath else { return nil }
        return try await cache.title(path: path)
    }

    /// Opens a file that the library made (a poster, a cover or a storyboard's file) for a viewer.
    ///
    /// - Returns: `nil` for a path outside the library's own folders, and for a file that does not exist or is not a
    ///   regular file. The descriptor is what has been checked: serve it, not the path.
    package nonisolated func servedFile(at path: String) async throws -> MediaFile? {
        guard derived.containsServedFile(path) else { return nil }
        do {
            return try await threads.opening.runIfActive { try MediaFile(path: path, isOwn: true) }
        } catch is MediaFileError {
            return nil
        }
    }

    /// The title's record with its current progress; `nil` if there is none.
    package nonisolated func title(id: String) async throws -> TitleRecord? {
        guard let title = try await catalogue.title(id: id) else { return nil }
        return await withProgress([title]).first
    }

    /// The track's record; `nil` if there is none.
    package nonisolated func track(id: String) async throws -> AudioTrackRecord? { try await catalogue.track(id: id) }

    /// Makes the posters of titles that were ready at once, and returns when there are no jobs left for these titles.
    package func finish(titles ids: Set<String>) async throws {
        try await queueAwaitedPosters()
        while await queue.busyIDs(in: .titles).contains(where: ids.contains) {
            try await clock.sleep(for: .milliseconds(20))
        }
    }

    /// The running jobs and the waiting ones.
    package nonisolated func jobs() async -> [JobStatus] { await queue.statuses() }

    /// The records with their current progress, which is not written to the catalogue.
    package nonisolated func withProgress(_ titles: [TitleRecord]) async -> [TitleRecord] {
        guard titles.contains(where: { !$0.state.isFinal }) else { return titles }
        let jobs = Dictionary(
            await queue.runningStatuses().filter { $0.kind == .title }.map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first })
        return titles.map { title in
            guard !title.state.isFinal, let job = jobs[title.id] else { return title }
            var title = title
            title.state = job.state
            title.progress = job.progress
            return title
        }
    }
}
