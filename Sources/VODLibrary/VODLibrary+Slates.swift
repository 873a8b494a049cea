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
    ///   - present: made before, of the same shape: given back where the file has not changed, or has gone.
    /// - Throws: ``WorkerFailure``, and what reading the result throws.
    package func makeSlate(_ shape: SlateShape, file: String?, name: String, present: Slate?) async throws -> Slate {
        let input = file.map { Self.slatePath($0, mediaDirectory: configuration.mediaDirectory) }
        let source = try await threadPool.runIfActive { input.flatMap(MediaFile.identity) }
        if let present, source == nil || source == present.source { return present }
        // In no record: it is deleted when the server starts where a kill left it.
        let output = derived.path(.movies, id: "slate-\(name)", revision: UUID().uuidString, ending: ".mp4")
        defer { derived.delete(output) }
        _ = try await worker.run(
            WorkerRequest(task: .slate(output: output, shape: shape), input: input ?? "", limits: .slate)
        ) { _ in }
        let movie = try await cache.inspect(path: output)
        var slate = try await threadPool.runIfActive { try Slate(reading: movie) }
        slate.source = source
        return slate
    }

    /// Of a slate's file as `channels.json` names it: below the folder of titles, or an absolute path.
    package static func slatePath(_ file: String, mediaDirectory: String) -> String {
        file.hasPrefix("/") ? file : "\(mediaDirectory)/\(LibrarySection.titles.rawValue)/\(file)"
    }
}
