package import APIClient
import APIContract
import Catalogue
package import Database
import Foundation
import HTTPEndpoints
import LibraryCore
import Logging
import MediaIntake
import ServerSettings
import VODLibrary
import Workflows

/// The library in this process, for `antena ingest` when no server runs. It holds the lock of the data directory: a
/// server that starts meanwhile reports that the directory is in use, and so does this library if a server runs.
package struct StandaloneLibrary: IngestDestination {
    private let library: VODLibrary

    /// Runs `body` with the library and stops the library's workers afterwards.
    ///
    /// - Throws: `ServerStartError` if the data directory is in use or not writable, and any error of `body`.
    package static func with<Result: Sendable>(
        mediaDirectory: String, dataDirectory: String, database address: DatabaseAddress? = nil,
        _ body: @escaping @Sendable (StandaloneLibrary) async throws -> Result
    ) async throws -> Result {
        let data = try DataDirectory(path: dataDirectory)
        let media = URL(filePath: mediaDirectory).standardizedFileURL.path(percentEncoded: false)
        let library = try VODLibrary(
            configuration: VODLibraryConfiguration(
                mediaDirectory: media.count > 1 && media.hasSuffix("/") ? String(media.dropLast()) : media,
                dataDirectory: data.path, recordingsDirectory: data.path(of: "recordings"),
                workerExecutable: "/proc/self/exe"),
            catalogue: try await Catalogue.open(
                try await (address ?? .sqlite(path: data.path(of: DataDirectory.catalogueName))).open(),
                program: Product.version),
            logger: Logger(label: "antena") { _ in SwiftLogNoOpLogHandler() })
        let result = try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                try await library.run(watching: false)
                return nil
            }
            group.addTask { try await body(StandaloneLibrary(library: library)) }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let result { return result }
            }
            throw CancellationError()
        }
        withExtendedLifetime(data) {}
        return result
    }

    package func ingest(path: String) async throws -> IngestEntry {
        do {
            if let job = try await library.importFile(atPath: path) { return IngestEntry(job) }
            switch try await library.ingest(path: path) {
            case .title(let title): return try await finished(title)
            case .track(let track): return IngestEntry(track)
            }
        } catch let error as LibraryError {
            throw ServerClientError(error.reason)
        }
    }

    package func current(_ entry: IngestEntry) async throws -> IngestEntry {
        switch entry.kind {
        case .job:
            guard let number = Int64(entry.id), let job = try await library.job(number: number) else { throw Self.gone }
            guard job.state == .ready, let subject = job.subject else { return IngestEntry(job) }
            if job.section == LibrarySection.titles.rawValue, let title = try await library.title(id: subject) {
                return try await finished(title)
            }
            guard let track = try await library.track(id: subject) else { throw Self.gone }
            return IngestEntry(track)
        case .track:
            guard let track = try await library.track(id: entry.id) else { throw Self.gone }
            return IngestEntry(track)
        case .title:
            guard let title = try await library.title(id: entry.id) else { throw Self.gone }
            return try await finished(title)
        }
    }

    package func choosePoster(ofTitle id: String, at seconds: Double?) async throws {
        do {
            guard try await library.setPoster(ofTitle: id, at: seconds) != nil else { throw Self.gone }
        } catch let error as LibraryError {
            throw ServerClientError(error.reason)
        }
    }

    /// The title, with its poster made; without a server nothing else would make it.
    private func finished(_ title: TitleRecord) async throws -> IngestEntry {
        if title.state == .ready { try await library.finish(titles: [title.id]) }
        return IngestEntry(title)
    }

    private static let gone = ServerClientError("the file was removed during the ingest")
}

extension IngestEntry {
    fileprivate init(_ title: TitleRecord) {
        self.init(.title, id: title.id, state: title.state.rawValue)
        progress = title.progress
        error = title.error
        file = title.file
        byteCount = title.byteCount
        ingestSeconds = title.ingestSeconds
        playlist = ResourcePaths.playlist(title)
    }

    fileprivate init(_ track: AudioTrackRecord) {
        self.init(.track, id: track.id, state: track.state.rawValue)
        error = track.error
        byteCount = track.byteCount
        ingestSeconds = track.ingestSeconds
        playlist = ResourcePaths.playlist(track)
    }

    fileprivate init(_ job: JobRecord) {
        self.init(.job, id: "\(job.number)", state: job.state.rawValue)
        progress = job.progress
        error = job.error
        file = job.file
        byteCount = job.byteCount
    }
}
