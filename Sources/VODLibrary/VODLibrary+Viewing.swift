package import Catalogue
import JobRunning
package import Packaging
import NIOPosix

/// Viewers' requests.
extension VODLibrary {
    /// The title's record with its current progress; `nil` if there is none.
    package func title(id: String) async throws -> TitleRecord? {
        guard let title = try await context.catalogue.title(id: id) else { return nil }
        return await withProgress([title]).first
    }

    /// The track's record; `nil` if there is none.
    package func track(id: String) async throws -> AudioTrackRecord? { try await context.catalogue.track(id: id) }

    /// The records with their current progress, which is not written to the catalogue.
    package func withProgress(_ titles: [TitleRecord]) async -> [TitleRecord] {
        guard titles.contains(where: { !$0.state.isFinal }) else { return titles }
        let jobs = Dictionary(
            await runner.runningStatuses().filter { $0.kind == .title }.map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first })
        return titles.map { title in
            guard !title.state.isFinal, let job = jobs[title.id] else { return title }
            var title = title
            title.state = job.state
            title.progress = job.progress
            return title
        }
    }

    /// Opens a title for packaging; `nil` if the title is not ready.
    ///
    /// - Throws: the errors of reading the file.
    package func packagedTitle(_ record: TitleRecord) async throws -> PackagedTitle? {
        guard record.state == .ready, let path = record.mediaPath else { return nil }
        return try await context.cache.title(path: path)
    }

    /// Opens a track for packaging; `nil` if the track is not ready.
    ///
    /// - Throws: the errors of reading the file.
    package func packagedTrack(_ record: AudioTrackRecord) async throws -> PackagedTitle? {
        guard record.state == .ready, let path = record.mediaPath else { return nil }
        return try await context.cache.title(path: path)
    }

    /// Opens a track's own file, to be sent unchanged; `nil` if it has been removed.
    ///
    /// - Throws: the errors of the media store.
    package func trackFile(_ record: AudioTrackRecord) async throws -> MediaFile? {
        do {
            return try await context.files.open(record.sourcePath, on: context.threads.opening)
        } catch is MediaFileError {
            return nil
        }
    }

    /// Opens the file of a title as it came, to be sent unchanged.
    ///
    /// - Returns: `nil` if there is no such title, or if its file has been removed.
    /// - Throws: the errors of the media store.
    package func sourceFile(ofTitle id: String) async throws -> MediaFile? {
        guard let title = try await context.catalogue.title(id: id) else { return nil }
        do {
            return try await context.files.open(title.sourcePath, on: context.threads.opening)
        } catch is MediaFileError {
            return nil
        }
    }

    /// Opens a file that the library made (a poster, a cover or a storyboard's file) for a viewer.
    ///
    /// - Returns: `nil` for a path outside the library's own folders, and for a file that does not exist or is not a
    ///   regular file. The descriptor is what has been checked: serve it, not the path.
    package func servedFile(at path: String) async throws -> MediaFile? {
        guard context.derived.containsServedFile(path) else { return nil }
        do {
            return try await context.files.open(path, isOwn: true, on: context.threads.opening)
        } catch is MediaFileError {
            return nil
        }
    }

    /// Makes the loop that a channel shows while its publisher is away, in a worker process, and reads it into memory.
    ///
    /// - Parameters:
    ///   - shape: the codecs, frame size and rate that the slate must have.
    ///   - file: the path of the source, below the folder of titles or absolute; `nil` for a card with the title.
    ///   - title: the channel's title.
    ///   - name: the channel's name.
    ///   - present: a slate made before, with the same shape and design; it is returned if the file is unchanged or
    ///     gone.
    /// - Throws: `WorkerFailure`, and the errors of reading the result.
    package func makeSlate(
        _ shape: SlateShape, file: String?, title: String, name: String, present: Slate?
    ) async throws -> Slate {
        try await slates.makeSlate(shape, file: file, title: title, name: name, present: present)
    }

    /// The path of a slate's file, which `channels.json` gives below the folder of titles or as an absolute path.
    package static func slatePath(_ file: String, mediaDirectory: String) -> String {
        SlateMaker.slatePath(file, mediaDirectory: mediaDirectory)
    }
}
