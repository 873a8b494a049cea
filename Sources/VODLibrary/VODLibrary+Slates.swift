import Foundation
import NIOPosix
package import Packaging

extension VODLibrary {
    /// Has the loop made that a channel shows while its publisher is away, in a worker process, and reads it into
    /// memory.
    ///
    /// - Parameters:
    ///   - file: below the folder of titles, or an absolute path; `nil` for a card with the title.
    ///   - title: the channel's.
    ///   - name: of the channel.
    ///   - present: made before, of the same shape and design: given back if the file has not changed, or has gone.
    /// - Throws: ``WorkerFailure``, and what reading the result throws.
    package func makeSlate(
        _ shape: SlateShape, file: String?, title: String, name: String, present: Slate?
    ) async throws -> Slate {
        let input = file.map { Self.slatePath($0, mediaDirectory: configuration.mediaDirectory) }
        let source = try await threadPool.runIfActive { input.flatMap(MediaFile.identity) }
        if let present, source == nil || source == present.source { return present }
        var shape = shape
        shape.title = file == nil ? Self.writable(title) : nil
        // In no record: it is deleted when the server starts where a kill left it.
        let output = derived.path(.movies, id: "slate-\(name)", revision: UUID().uuidString, ending: ".mp4")
        let result: Result<Slate, any Error>
        do {
            result = .success(try await makeSlate(shape, input: input, output: output))
        } catch {
            result = .failure(error)
        }
        await deleteDerived([output])
        var slate = try result.get()
        slate.source = source
        return slate
    }

    private func makeSlate(_ shape: SlateShape, input: String?, output: String) async throws -> Slate {
        _ = try await worker.run(
            WorkerRequest(task: .slate(output: output, shape: shape), input: input ?? "", limits: .slate)
        ) { _ in }
        let movie = try await cache.inspect(path: output)
        return try await threadPool.runIfActive { try Slate(reading: movie) }
    }

    /// A title in Latin letters, with accents as scalars of their own: what the card's font has.
    static func writable(_ title: String) -> String {
        (title.applyingTransform(.toLatin, reverse: false) ?? title).decomposedStringWithCanonicalMapping
    }

    /// Of a slate's file as `channels.json` names it: below the folder of titles, or an absolute path.
    package static func slatePath(_ file: String, mediaDirectory: String) -> String {
        file.hasPrefix("/") ? file : "\(mediaDirectory)/\(LibrarySection.titles.rawValue)/\(file)"
    }
}
