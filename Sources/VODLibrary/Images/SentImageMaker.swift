import Foundation
import LibraryCore
import MediaCore
import MediaIntake
import MediaWorker
import NIOCore
import NIOPosix

/// Encodes images that people send again, such as photos of members and maps, in worker processes.
actor SentImageMaker {
    private let context: LibraryContext
    private let worker: any WorkerRunning
    /// Requests that are carried out. Each starts a worker.
    private var requests = SenderShares(limit: 2, ofMember: 1)

    init(context: LibraryContext, worker: any WorkerRunning) {
        (self.context, self.worker) = (context, worker)
    }

    /// Makes an image of another one.
    ///
    /// - Parameters:
    ///   - image: a JPEG or PNG file; only a worker decodes it.
    ///   - sender: who has sent it.
    ///   - work: what a worker does, with the path of its output.
    /// - Returns: a JPEG file without metadata.
    /// - Throws: `LibraryError` if the file is too large or not an image, or if too many are made.
    func make(
        of image: ByteBuffer, from sender: UploadSender, _ work: (_ output: String) -> ImageWork
    ) async throws -> [UInt8] {
        try SentImage.check(image)
        guard requests.take(for: sender) else {
            throw LibraryError(.limitExceeded, "other images are being made; try again in a moment")
        }
        defer { requests.giveBack(of: sender) }
        // No record names these files, so the next start deletes them if a crash leaves them.
        let source = context.derived.path(.posters, id: "sent", revision: UUID().uuidString, ending: ".upload")
        let output = context.derived.path(.posters, id: "sent", revision: UUID().uuidString, ending: ".jpg")
        let result: Result<[UInt8], any Error>
        do {
            result = .success(try await make(of: image, work(output), source: source, output: output))
        } catch let error as WorkerFailure {
            let reason = error.reason.replacing(FilePathText.name(of: source), with: "the image")
            result = .failure(LibraryError(.unplayable, reason))
        } catch {
            result = .failure(error)
        }
        await context.deleteDerived([source, output])
        return try result.get()
    }

    private func make(
        of image: ByteBuffer, _ work: ImageWork, source: String, output: String
    ) async throws -> [UInt8] {
        try await context.threadPool.runIfActive {
            try Data(image.readableBytesView).write(to: URL(filePath: source))
        }
        _ = try await worker.run(
            WorkerRequest(task: .image(work), input: source, limits: .inspection)
        ) { _ in }
        return try await context.threadPool.runIfActive { [UInt8](try Data(contentsOf: URL(filePath: output))) }
    }
}
