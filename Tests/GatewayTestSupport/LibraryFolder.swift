package import Catalogue
import Database
import DatabaseTestSupport
package import Foundation
import Logging
import MediaWorker
import Synchronization
import TestSupport
package import VODLibrary

/// A real library in a temporary folder, for endpoints that use it. It runs only if a test starts it.
package final class LibraryFolder: Sendable {
    private struct State {
        var directory: TemporaryDirectory?
        var library: VODLibrary?
        var catalogue: Catalogue?
    }

    private let state = Mutex(State())
    /// The engine of the test that made it; a request may run in a task without the test's values.
    private let engine = TestEngine.current

    private let clock: any Clock<Duration>

    /// - Parameter clock: the clock by which uploads wait for bytes.
    package init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

    /// A worker that converts nothing and waits until it is cancelled. It takes anything for an image that begins like
    /// a JPEG file.
    private struct PatientWorker: WorkerRunning {
        func run(
            _ request: WorkerRequest, onProgress: @escaping @Sendable (Double) -> Void
        ) async throws -> WorkerResult {
            let sent: String? =
                switch request.task {
                case .image(.square(let output, _)), .image(.upload(let output, _)): output
                default: nil
                }
            if let output = sent {
                let image = try Data(contentsOf: URL(filePath: request.input))
                guard image.starts(with: [0xFF, 0xD8, 0xFF]) else {
                    throw WorkerFailure(reason: "\(request.input): is not an image")
                }
                try image.write(to: URL(filePath: output))
                return WorkerResult(description: nil)
            }
            onProgress(0.25)
            try await Task.sleep(for: .seconds(3_600))
            throw CancellationError()
        }
    }

    package func library() -> VODLibrary { opened().library }
    /// The library's catalogue.
    package var catalogue: Catalogue { opened().catalogue }

    private func opened() -> (library: VODLibrary, catalogue: Catalogue) {
        state.withLock { state in
            if let library = state.library, let catalogue = state.catalogue { return (library, catalogue) }
            do {
                let directory = try TemporaryDirectory(label: "library")
                for name in ["media/vod", "media/audio", "data"] {
                    try FileManager.default.createDirectory(
                        atPath: "\(directory.path)/\(name)", withIntermediateDirectories: true)
                }
                let catalogue = try TestEngine.$current.withValue(engine) {
                    try Catalogue.open(TestDatabase.address(inFolder: "\(directory.path)/data"))
                }
                let library = try VODLibrary(
                    configuration: VODLibraryConfiguration(
                        mediaDirectory: "\(directory.path)/media", dataDirectory: "\(directory.path)/data",
                        workerExecutable: "/bin/false"),
                    catalogue: catalogue, worker: PatientWorker(), clock: clock,
                    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
                state = State(directory: directory, library: library, catalogue: catalogue)
                return (library, catalogue)
            } catch {
                preconditionFailure("a library for a test cannot be made: \(error)")
            }
        }
    }

    /// The path of the folder that contains `media` and `data`.
    package var path: String {
        _ = library()
        return state.withLock { $0.directory?.path ?? "" }
    }

    /// Adds a title to the library's catalogue.
    package func add(_ title: TitleRecord) async throws {
        _ = try await catalogue.add(title)
    }

    @discardableResult
    package func write(_ data: Data, to name: String) throws -> String {
        let file = "\(path)/\(name)"
        try FileManager.default.createDirectory(
            atPath: URL(filePath: file).deletingLastPathComponent().path, withIntermediateDirectories: true)
        try data.write(to: URL(filePath: file))
        return file
    }
}
