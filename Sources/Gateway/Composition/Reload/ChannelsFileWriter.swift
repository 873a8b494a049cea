// The owner of `stat` is whichever of the two a compilation of the whole module loads first.
import CoreFoundation
import Foundation
import HTTPEndpoints
import MediaCore
import Workflows

/// Replaces `channels.json`. Blocks.
enum ChannelsFileWriter {
    /// Replaces the file atomically: a reader sees the old text or the new one, also after a power failure.
    /// Owner and permissions stay, and so does a link that leads to the file.
    ///
    /// - Throws: `ConfigurationError` if the file cannot be written.
    static func write(_ text: [UInt8], to path: String) throws(ConfigurationError) {
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        do {
            try FileReplacement.write(text, to: target) { descriptor in
                var status = stat()
                guard stat(target, &status) == 0 else { return true }
                // Who may read passwords does not change. Only root can give files away, and nobody else has to.
                if fchown(descriptor, status.st_uid, status.st_gid) != 0, geteuid() == 0 { return false }
                return fchmod(descriptor, status.st_mode & 0o777) == 0
            }
        } catch {
            throw failure(path, error.number)
        }
    }

    private static func failure(_ path: String, _ number: Int32) -> ConfigurationError {
        ConfigurationError(
            .notWritable,
            "\(path) cannot be written: \(FileErrorText.text(number)); let the server's user write it and its folder")
    }
}
