import APIClient
import Catalogue
import Foundation
package import JSONDocument
import Logging
import OperatorAPI
import VODLibrary

/// The library in this process, for `antena ingest` when no server runs. It holds the lock of the data directory: a
/// server that starts meanwhile reports that the directory is in use, and so does this library if a server runs.
package struct StandaloneLibrary: IngestDestination {
    private let library: VODLibrary

    /// Runs `body` with the library and stops the library's workers afterwards.
    ///
    /// - Throws: ``ServerStartError`` if the data directory is in use or not writable, and any error of `body`.
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

    /// The title, with its poster made; without a server nothing else would make it.
    private func finished(_ title: TitleRecord) async throws -> JSONNode {
        if title.state == .ready { try await library.finish(titles: [title.id]) }
        return try Self.node(APIResources.title(title))
    }

    private static let gone = ServerClientError("the file was removed during the ingest")

    private static func node(_ text: JSONText) throws -> JSONNode { try JSONParser.parse(Array(text.rendered.utf8)) }
}
