import Foundation
import NIOPosix
package import Packaging

extension VODLibrary {
    /// Has the loop made that a channel shows while its publisher is away, in a worker process, and reads it into
    /// memory.
    ///
    /// - Parameters:
    ///   - file: below the folder of titles, or an absolute path; `nil` for a plain card.
    ///   - name: of the channel.
    /// - Throws: ``WorkerFailure``, and what reading the result throws.
    package func makeSlate(_ shape: SlateShape, file: String?, name: String) async throws -> Slate {
        let input = file.map { path in
            path.hasPrefix("/")
                ? path : "\(configuration.mediaDirectory)/\(LibrarySection.titles.rawValue)/\(path)"
        }
        // In no record: it is deleted when the server starts where a kill left it.
        let output = derived.path(.movies, id: "slate-\(name)", revision: UUID().uuidString, ending: ".mp4")
        defer { derived.delete(output) }
        _ = try await worker.run(
            WorkerRequest(task: .slate(output: output, shape: shape), input: input ?? "", limits: .slate)
        ) { _ in }
        let movie = try await cache.inspect(path: output)
        return try await threadPool.runIfActive { try Slate(reading: movie) }
    }
}
