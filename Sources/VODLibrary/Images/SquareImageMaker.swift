import Foundation
import LibraryCore
import MediaCore
import MediaWorker
import NIOCore
import NIOPosix

/// Makes small square images of files that people send, such as photos of members, in worker processes.
actor SquareImageMaker {
    private let context: LibraryContext
    private let worker: any WorkerRunning
    private var requestCount = 0

    /// Limit on requests at a time, because each starts a worker; more are refused.
    private static let maximumRequestCount = 2

    init(context: LibraryContext, worker: any WorkerRunning) {
        (self.context, self.worker) = (context, worker)
    }

    /// Cuts the square out of the middle of an image.
    ///
    /// - Parameters:
    ///   - image: a JPEG or PNG file; only a worker examines its content.
    ///   - side: the width and height of the result in pixels, even.
    /// - Returns: a JPEG file without metadata.
    /// - Throws: `LibraryError` if the file is not an image, or if too many are made.
    func make(of image: ByteBuffer, side: Int) async throws -> [UInt8] {
        guard requestCount < Self.maximumRequestCount else {
            throw LibraryError(.limitExceeded, "other images are being made; try again in a moment")
        }
        requestCount += 1
        defer { requestCount -= 1 }
        // No record names these files, so the next start deletes them if a crash leaves them.
        let source = context.derived.path(.posters, id: "square", revision: UUID().uuidString, ending: ".upload")
        let output = context.derived.path(.posters, id: "square", revision: UUID().uuidString, ending: ".jpg")
        let result: Result<[UInt8], any Error>
        do {
            result = .success(try await make(of: image, side: side, source: source, output: output))
        } catch let error as WorkerFailure {
            let reason = error.reason.replacing(FilePathText.name(of: source), with: "the image")
            result = .failure(LibraryError(.unplayable, reason))
        } catch {
            result = .failure(error)
        }
        await context.deleteDerived([source, output])
        return try result.get()
    }

    private func make(of image: ByteBuffer, side: Int, source: String, output: String) async throws -> [UInt8] {
        try await context.threadPool.runIfActive {
            try Data(image.readableBytesView).write(to: URL(filePath: source))
        }
        _ = try await worker.run(
            WorkerRequest(task: .image(.square(output: output, side: side)), input: source, limits: .inspection)
        ) { _ in }
        return try await context.threadPool.runIfActive { [UInt8](try Data(contentsOf: URL(filePath: output))) }
    }
}
