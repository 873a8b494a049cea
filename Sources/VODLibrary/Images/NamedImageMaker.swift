import Foundation
import LibraryCore
import LogMetadata
import Logging
import MediaWorker
import NIOPosix
import Packaging

/// Makes images of the files that `channels.json` names, such as those of channels, in worker processes, and keeps them
/// in memory.
///
/// Nobody gets the bytes of a file that is named there: only what a worker has decoded as an image.
actor NamedImageMaker {
    private let context: LibraryContext
    private let worker: any WorkerRunning
    /// The images by their files and widths.
    private var made: [Wanted: Made] = [:]
    /// The files whose images are being made.
    private var making: [Wanted: Task<[UInt8]?, any Error>] = [:]
    /// The last of them, after which the next begins, so that there is one worker at a time.
    private var last: Task<[UInt8]?, any Error>?

    private struct Wanted: Hashable {
        var path: String
        var width: Int
    }

    private struct Made {
        var source: MediaFile.Identity
        /// A JPEG file; `nil` if the source is not an image.
        var image: [UInt8]?
    }

    /// Limit of images in memory; one for each channel that there may be.
    static let maximumCount = 256
    /// The width of the images of channels in pixels, at most.
    static let coverWidth = 640
    /// The width of banners in pixels, at most: two for each of the widest that are usual.
    static let bannerWidth = 1_940
    /// Limit of one image. A cover has some 100 KB.
    static let maximumByteCount = 2 << 20

    init(context: LibraryContext, worker: any WorkerRunning) { (self.context, self.worker) = (context, worker) }

    /// The image of a file. All who ask for it at the same time wait for one worker.
    ///
    /// - Parameters:
    ///   - file: a path below the media folder, or an absolute path.
    ///   - width: the largest width of the result in pixels.
    /// - Returns: a JPEG file without metadata; `nil` if there is no such file, or if it is not an image.
    /// - Throws: the errors of reading and writing, and of a worker that could not be started.
    func image(ofFile file: String, width: Int) async throws -> [UInt8]? {
        let path = file.hasPrefix("/") ? file : "\(context.configuration.mediaDirectory)/\(file)"
        let source = try await context.threadPool.runIfActive { MediaFile.identity(ofFileAt: path) }
        guard let source else { return nil }
        let wanted = Wanted(path: path, width: width)
        if let known = made[wanted], known.source == source { return known.image }
        if let task = making[wanted] { return try await task.value }
        let before = last
        let task = Task {
            _ = await before?.result
            return try await self.make(wanted)
        }
        (making[wanted], last) = (task, task)
        defer { making[wanted] = nil }
        let image = try await task.value
        if made.count >= Self.maximumCount { made.removeAll() }
        made[wanted] = Made(source: source, image: image)
        return image
    }

    private func make(_ wanted: Wanted) async throws -> [UInt8]? {
        // No record names this file, so the next start deletes it if a crash leaves it.
        let output = context.derived.path(.covers, id: "named", revision: UUID().uuidString, ending: ".jpg")
        do {
            _ = try await worker.run(
                WorkerRequest(
                    task: .image(.upload(output: output, width: wanted.width)), input: wanted.path, limits: .inspection)
            ) { _ in }
            let image = try await context.threadPool.runIfActive {
                [UInt8](try Data(contentsOf: URL(filePath: output)))
            }
            await context.deleteDerived([output])
            return image.count <= Self.maximumByteCount ? image : nil
        } catch let failure as WorkerFailure {
            await context.deleteDerived([output])
            context.logger.warning(
                "configured image cannot be used",
                metadata: [.file: "\(wanted.path)", .reason: "\(failure.reason)"])
            return nil
        } catch {
            await context.deleteDerived([output])
            throw error
        }
    }
}
