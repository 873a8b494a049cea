import Foundation
import LibraryCore
import MediaCore
import MediaWorker
import NIOCore
import NIOPosix

/// Makes the posters and covers of images that operators send, in worker processes.
struct UploadedImageMaker: Sendable {
    let context: LibraryContext
    let worker: any WorkerRunning

    /// Encodes an image again, without its metadata.
    ///
    /// - Parameters:
    ///   - image: a JPEG or PNG file; only a worker decodes it.
    ///   - folder: the folder of the result.
    ///   - id: the ID of the title or track.
    ///   - width: the largest width of the result in pixels.
    /// - Returns: the path of a JPEG file. No record names it yet, so the next start deletes it if a crash leaves it.
    /// - Throws: `LibraryError` if the file is not an image, or too large.
    func make(of image: ByteBuffer, in folder: DerivedFiles.Folder, id: String, width: Int) async throws -> String {
        try SentImage.check(image)
        let source = context.derived.path(folder, id: id, revision: UUID().uuidString, ending: ".upload")
        let output = context.derived.path(folder, id: id, revision: UUID().uuidString, ending: ".jpg")
        do {
            try await context.threadPool.runIfActive {
                try Data(image.readableBytesView).write(to: URL(filePath: source))
            }
            _ = try await worker.run(
                WorkerRequest(
                    task: .image(.upload(output: output, width: width)), input: source,
                    limits: .inspection), onProgress: { _ in })
        } catch let failure as WorkerFailure {
            await context.deleteDerived([source])
            let reason = failure.reason.replacing(FilePathText.name(of: source), with: "the uploaded image")
            throw LibraryError(.unplayable, reason)
        } catch {
            await context.deleteDerived([source])
            throw error
        }
        await context.deleteDerived([source])
        return output
    }
}
