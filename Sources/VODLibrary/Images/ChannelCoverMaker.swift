import Foundation
import LibraryCore
import LogMetadata
import Logging
import MediaWorker
import NIOPosix
import Packaging

/// Makes the images of channels of the files that `channels.json` names, in worker processes, and keeps them in memory.
///
/// Nobody gets the bytes of a file that is named there: only what a worker has decoded as an image.
actor ChannelCoverMaker {
    private let context: LibraryContext
    private let worker: any WorkerRunning
    /// The images by the paths of their files.
    private var made: [String: Made] = [:]
    /// The paths of files whose images are being made.
    private var making: [String: Task<[UInt8]?, any Error>] = [:]
    /// The last of them, after which the next begins, so that there is one worker at a time.
    private var last: Task<[UInt8]?, any Error>?

    private struct Made {
        var source: MediaFile.Identity
        /// A JPEG file; `nil` if the source is not an image.
        var image: [UInt8]?
    }

    /// Limit of images in memory; one for each channel that there may be.
    static let maximumCount = 256
    /// The width of the images in pixels, at most.
    static let width = 640
    /// Limit of one image. One of that width has some 100 KB.
    static let maximumByteCount = 2 << 20

    init(context: LibraryContext, worker: any WorkerRunning) { (self.context, self.worker) = (context, worker) }

    /// The image of a file. All who ask for it at the same time wait for one worker.
    ///
    /// - Parameter file: a path below the media folder, or an absolute path.
    /// - Returns: a JPEG file without metadata; `nil` if there is no such file, or if it is not an image.
    /// - Throws: the errors of reading and writing, and of a worker that could not be started.
    func image(ofFile file: String) async throws -> [UInt8]? {
        let path = file.hasPrefix("/") ? file : "\(context.configuration.mediaDirectory)/\(file)"
        let source = try await context.threadPool.runIfActive { MediaFile.identity(ofFileAt: path) }
        guard let source else { return nil }
        if let known = made[path], known.source == source { return known.image }
        if let task = making[path] { return try await task.value }
        let before = last
        let task = Task {
            _ = await before?.result
            return try await self.make(path)
        }
        (making[path], last) = (task, task)
        defer { making[path] = nil }
        let image = try await task.value
        if made.count >= Self.maximumCount { made.removeAll() }
        made[path] = Made(source: source, image: image)
        return image
    }

    private func make(_ path: String) async throws -> [UInt8]? {
        // No record names this file, so the next start deletes it if a crash leaves it.
        let output = context.derived.path(.covers, id: "channel", revision: UUID().uuidString, ending: ".jpg")
        do {
            _ = try await worker.run(
                WorkerRequest(
                    task: .image(.upload(output: output, width: Self.width)), input: path, limits: .inspection)
            ) { _ in }
            let image = try await context.threadPool.runIfActive {
                [UInt8](try Data(contentsOf: URL(filePath: output)))
            }
            await context.deleteDerived([output])
            return image.count <= Self.maximumByteCount ? image : nil
        } catch let failure as WorkerFailure {
            await context.deleteDerived([output])
            context.logger.warning(
                "cover of a channel not usable", metadata: [.file: "\(path)", .reason: "\(failure.reason)"])
            return nil
        } catch {
            await context.deleteDerived([output])
            throw error
        }
    }
}
