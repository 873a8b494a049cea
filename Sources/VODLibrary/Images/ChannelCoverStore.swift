import Foundation
import LibraryCore
import LogMetadata
import Logging
import MediaCore
import MediaWorker
import NIOPosix

/// The images of channels that operators have sent, in a folder of the media folder, where `channels.json` names them.
///
/// A new image has a new name. So the file that `channels.json` names is never half written, and never another image
/// than the one that it was when it was named.
struct ChannelCoverStore: Sendable {
    let context: LibraryContext

    /// The folder below the media folder.
    static let folder = "channels"

    /// Writes an image.
    ///
    /// - Parameters:
    ///   - image: a JPEG file.
    ///   - channel: the channel's name, which is part of the file's.
    /// - Returns: the path of the file below the media folder.
    /// - Throws: `LibraryError` if the folder cannot be written.
    func store(_ image: [UInt8], ofChannel channel: String) async throws -> String {
        let path = "\(Self.folder)/\(channel)-\(ShortDigest(image).text).jpg"
        let root = context.configuration.mediaDirectory
        try await context.threadPool.runIfActive {
            do {
                try FileManager.default.createDirectory(
                    atPath: "\(root)/\(Self.folder)", withIntermediateDirectories: true)
                try FileReplacement.write(image, to: "\(root)/\(path)", permissions: 0o644, durability: .inCache)
            } catch {
                throw LibraryError.writing(
                    "the image cannot be stored", in: "\(root)/\(Self.folder)",
                    number: FileErrorText(error).number ?? EIO)
            }
        }
        return path
    }

    /// Deletes an image, if it is one that ``store(_:ofChannel:)`` has written for the channel. What an operator has
    /// put into the media folder stays.
    ///
    /// - Parameters:
    ///   - path: what `channels.json` has named.
    ///   - channel: the channel's name.
    func delete(_ path: String, ofChannel channel: String) async {
        guard Self.isStored(path, ofChannel: channel) else { return }
        let (context, file) = (context, "\(context.configuration.mediaDirectory)/\(path)")
        await context.threadPool.runToEnd {
            let number = context.files.unlink(file)
            guard number != 0, number != ENOENT else { return }
            context.logger.warning(
                "channel image could not be deleted",
                metadata: [.file: "\(file)", .error: "\(FileErrorText.text(number))"])
        }
    }

    static func isStored(_ path: String, ofChannel channel: String) -> Bool {
        let start = "\(folder)/\(channel)-"
        guard path.hasPrefix(start), path.hasSuffix(".jpg") else { return false }
        let digest = path.dropFirst(start.count).dropLast(".jpg".count)
        return !digest.isEmpty && digest.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
    }
}
