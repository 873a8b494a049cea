import Catalogue
import Foundation
import Logging
import VODLibrary

/// The library without a server, for `antena ingest` where none runs. It holds the data directory's lock, so that a
/// server which starts meanwhile says that it is in use, and the other way round.
package struct StandaloneLibrary: IngestDestination {
    private let library: VODLibrary

    /// Runs `body` with the library, whose workers end with it.
    ///
    /// - Throws: ``ServerStartError`` where it is in use, or cannot be written.
    package static func with<Result: Sendable>(
        mediaDirectory: String, dataDirectory: String,
        _ body: @escaping @Sendable (StandaloneLibrary) async throws -> Result
    ) async throws -> Result {
        let data = try DataDirectory(path: dataDirectory)
        let media = URL(filePath: mediaDirectory).standardizedFileURL.path(percentEncoded: false)
        let library = try VODLibrary(
            configuration: VODLibraryConfiguration(
                mediaDirectory: media.count > 1 && media.hasSuffix("/") ? String(media.dropLast()) : media,
                dataDirectory: data.path, recordingsDirectory: data.path(of: "recordings"),
                workerExecutable: "/proc/self/exe"),
            catalogue: try Catalogue(path: data.path(of: "catalogue.sqlite")),
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

    package func ingest(path: String) async throws -> JSONNode {
        do {
            if let job = try await library.importFile(atPath: path) { return try Self.node(APIResources.job(job)) }
            switch try await library.ingest(path: path) {
            case .title(let title): return try await finished(title)
            case .track(let track): return try Self.node(APIResources.track(track))
            }
        } catch let error as LibraryError {
            throw ServerClientError(error.reason)
        }
    }

    package func current(_ entry: JSONNode) async throws -> JSONNode {
        let id = entry.text("id")
        if entry.isJob {
            guard let number = Int64(id), let job = try await library.job(number: number) else { throw Self.gone }
            guard job.state == .ready, let subject = job.subject else { return try Self.node(APIResources.job(job)) }
            if job.section == LibrarySection.titles.rawValue, let title = try await library.title(id: subject) {
                return try await finished(title)
            }
            guard let track = try await library.track(id: subject) else { throw Self.gone }
            return try Self.node(APIResources.track(track))
        }
        if entry.collection == "tracks" {
            guard let track = try await library.track(id: id) else { throw Self.gone }
            return try Self.node(APIResources.track(track))
        }
        guard let title = try await library.title(id: id) else { throw Self.gone }
        return try await finished(title)
    }

    package func setPoster(ofTitle id: String, at seconds: Double?) async throws -> JSONNode {
        do {
            guard let title = try await library.setPoster(ofTitle: id, at: seconds) else { throw Self.gone }
            return try Self.node(APIResources.title(title))
        } catch let error as LibraryError {
            throw ServerClientError(error.reason)
        }
    }

    /// Nobody else makes its poster.
    private func finished(_ title: TitleRecord) async throws -> JSONNode {
        if title.state == .ready { try await library.finish(titles: [title.id]) }
        return try Self.node(APIResources.title(title))
    }

    private static let gone = ServerClientError("its file has gone")

    private static func node(_ text: JSONText) throws -> JSONNode { try JSONParser.parse(Array(text.rendered.utf8)) }
}
