package import Catalogue
import Foundation
import NIOPosix
package import Packaging

/// What has been taken into the library.
package enum IngestedItem: Sendable {
    case title(TitleRecord)
    case track(AudioTrackRecord)
}

extension VODLibrary {
    /// Takes a file of this machine into the library: from elsewhere it is copied into the media folder first.
    ///
    /// - Returns: the record: ready where that took a moment, queued, or as it is where the file was known already.
    /// - Throws: ``LibraryError``
    package func ingest(path: String) async throws -> IngestedItem {
        let (section, file) = try await importer.bringIn(path: path)
        return try await takeIn(file, to: section)
    }

    /// Takes a finished recording in at once, before the next look at the folder finds it.
    ///
    /// - Parameters:
    ///   - name: as the catalogue has it.
    ///   - title: that the file has; `nil` until it has been read.
    /// - Returns: `nil` if there is no such file.
    package func ingest(recording name: String, title: String? = nil) async throws -> TitleRecord? {
        let folder = MediaFolder(section: .titles, configuration: configuration)
        guard let file = try await threadPool.runIfActive({ folder.recording(named: name) }),
            case .title(var record) = try await takeIn(file, to: .titles)
        else { return nil }
        if let title { record.title = title }
        return record
    }

    /// A title's packager; `nil` where the title is not ready.
    ///
    /// - Throws: where the file cannot be read any longer.
    package nonisolated func packagedTitle(_ record: TitleRecord) async throws -> PackagedTitle? {
        guard record.state == .ready, let path = record.mediaPath else { return nil }
        return try await cache.title(path: path)
    }

    /// The same for a track.
    package nonisolated func packagedTrack(_ record: AudioTrackRecord) async throws -> PackagedTitle? {
        guard record.state == .ready, let path = record.mediaPath else { return nil }
        return try await cache.title(path: path)
    }

    /// Opens a picture, a cover or a storyboard's file that the library made, for a viewer.
    ///
    /// - Returns: `nil` for a path outside of the library's own folders, and for a file that has gone or is not a plain
    ///   one. The descriptor is what has been checked: serve it, not the path.
    package nonisolated func servedFile(at path: String) async throws -> MediaFile? {
        guard derived.containsServedFile(path) else { return nil }
        do {
            return try await threads.opening.runIfActive { try MediaFile(path: path, isOwn: true) }
        } catch is MediaFileError {
            return nil
        }
    }

    /// The records as they are now.
    package nonisolated func title(id: String) async throws -> TitleRecord? {
        guard let title = try await catalogue.title(id: id) else { return nil }
        return await withProgress([title]).first
    }

    package nonisolated func track(id: String) async throws -> AudioTrackRecord? { try await catalogue.track(id: id) }

    /// Makes the posters of what was ready at once, and returns when nothing is left to be done for these titles.
    package func finish(titles ids: Set<String>) async throws {
        try await queueAwaitedPosters()
        while await queue.busyIDs(in: .titles).contains(where: ids.contains) {
            try await clock.sleep(for: .milliseconds(20))
        }
    }

    /// What is being done, and what waits.
    package nonisolated func jobs() async -> [JobStatus] { await queue.statuses() }

    /// The records with what is going on at this moment, which the catalogue is not told each time.
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
