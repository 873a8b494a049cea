import Foundation
import LibraryCore
import MediaWorker
import NIOPosix
import Packaging

/// Makes the loops that channels show while their publishers are away.
struct SlateMaker: Sendable {
    let context: LibraryContext
    let worker: any WorkerRunning

    /// Makes the loop that a channel shows while its publisher is away, in a worker process, and reads it into memory.
    ///
    /// - Parameters:
    ///   - file: the path of the source, below the folder of titles or absolute; `nil` for a card with the title.
    ///   - title: the channel's title.
    ///   - name: the channel's name.
    ///   - present: a slate made before, with the same shape and design; it is returned if the file is unchanged or
    ///     gone.
    /// - Throws: `WorkerFailure`, and the errors of reading the result.
    func makeSlate(
        _ shape: SlateShape, file: String?, title: String, name: String, present: Slate?
    ) async throws -> Slate {
        let input = file.map { Self.slatePath($0, mediaDirectory: context.configuration.mediaDirectory) }
        let source = try await context.threadPool.runIfActive { input.flatMap(MediaFile.identity) }
        if let present, source == nil || source == present.source { return present }
        var shape = shape
        shape.title = file == nil ? Self.writable(title) : nil
        // No record names the file, so the next start deletes it if a crash left it.
        let output = context.derived.path(.movies, id: "slate-\(name)", revision: UUID().uuidString, ending: ".mp4")
        let result: Result<Slate, any Error>
        do {
            result = .success(try await makeSlate(shape, input: input, output: output))
        } catch {
            result = .failure(error)
        }
        await context.deleteDerived([output])
        var slate = try result.get()
        slate.source = source
        return slate
    }

    private func makeSlate(_ shape: SlateShape, input: String?, output: String) async throws -> Slate {
        _ = try await worker.run(
            WorkerRequest(task: .slate(output: output, shape: shape), input: input ?? "", limits: .slate)
        ) { _ in }
        let movie = try await context.cache.inspect(path: output)
        return try await context.threadPool.runIfActive { try Slate(reading: movie) }
    }

    /// The title in Latin letters with accents as separate scalars, which is what the card's font supports.
    static func writable(_ title: String) -> String {
        (title.applyingTransform(.toLatin, reverse: false) ?? title).decomposedStringWithCanonicalMapping
    }

    /// The path of a slate's file, which `channels.json` gives below the folder of titles or as an absolute path.
    static func slatePath(_ file: String, mediaDirectory: String) -> String {
        file.hasPrefix("/") ? file : "\(mediaDirectory)/\(LibrarySection.titles.rawValue)/\(file)"
    }
}
