// The owner of `stat` is whichever of the two a compilation of the whole module loads first.
import CoreFoundation
import Foundation
import HTTPEndpoints
import MediaCore

/// Replaces `channels.json`. Blocks.
enum ChannelsFileWriter {
    /// Replaces the file atomically: a reader sees the old text or the new one, also after a power failure.
    /// Owner and permissions stay, and so does a link that leads to the file.
    ///
    /// - Throws: ``ConfigurationError`` if the file cannot be written.
    static func write(_ text: [UInt8], to path: String) throws(ConfigurationError) {
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        let temporary = "\(target).part"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        var isWritten = DescriptorBytes.writeAll(text, to: descriptor) && fsync(descriptor) == 0
        var status = stat()
        if isWritten, stat(target, &status) == 0 {
            // Who may read passwords does not change. Only root can give files away, and nobody else has to.
            if fchown(descriptor, status.st_uid, status.st_gid) != 0, geteuid() == 0 { isWritten = false }
            if fchmod(descriptor, status.st_mode & 0o777) != 0 { isWritten = false }
        }
        let error = errno
        close(descriptor)
        guard isWritten, rename(temporary, target) == 0 else {
            let reason = isWritten ? errno : error
            unlink(temporary)
            errno = reason
            throw failure(path)
        }
        let folder = open(URL(filePath: target).deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if folder >= 0 {
            fsync(folder)
            close(folder)
        }
    }

    private static func failure(_ path: String) -> ConfigurationError {
        ConfigurationError(
            .notWritable,
            "\(path) cannot be written: \(FileErrorText.text(errno)); let the server's user write it and its folder")
    }
}
