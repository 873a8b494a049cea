package import Foundation
package import LibraryCore
import MediaCore

/// A file that was found below the media folder.
package struct FoundFile: Sendable, Hashable {
    /// Path relative to the section's folder.
    package var name: String
    package var path: String
    package var kind: MediaKind
    package var byteCount: Int64
    /// Nanoseconds since 1970.
    package var modificationTime: Int64

    /// The revision of the file at a path; `nil` if there is no file.
    package static func revision(ofFileAt path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return FoundFile(
            name: "", path: path, kind: .video, byteCount: Int64(status.st_size),
            modificationTime: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        ).revision
    }

    /// A text that changes whenever the size or the modification time does.
    package var revision: String { ShortDigest("\(byteCount)-\(modificationTime)".utf8).text }

    /// The prefix of the revisions of files that failed because the server may not read them. The change of a file's
    /// permissions changes neither its size nor its modification time.
    package static let unreadablePrefix = "unreadable-"

    /// The revision for the record of a file that the server may not read. It differs from that of the same file when
    /// it can be read.
    package var unreadableRevision: String { Self.unreadablePrefix + revision }

    /// The modification time to the millisecond, as the catalogue stores it.
    package var modifiedAt: Date { Date(timeIntervalSince1970: Double(modificationTime / 1_000_000) / 1_000) }
}

extension FoundFile {
    /// Refuses empty files before anything opens them.
    ///
    /// - Throws: `LibraryError` if the file is refused.
    package func checkIsMedium() throws(LibraryError) {
        guard byteCount > 0 else { throw LibraryError(.unplayable, "the file is empty") }
    }
}
