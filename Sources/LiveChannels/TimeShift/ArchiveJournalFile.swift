import Foundation
import Glibc
import Packaging

/// A journal on disk that is being written or read. See ``ArchiveJournal``.
///
/// Used by one thread at a time; every call may wait for the disk.
final class ArchiveJournalFile {
    private let descriptor: Int32
    private let path: String
    private var epoch: String?

    /// Limit on the size of a journal that is read: a day in rows of a tenth of a second. A larger journal is ignored.
    static let maximumByteCount: Int64 = 256 << 20

    /// Makes an empty journal and writes its header lines.
    ///
    /// - Throws: ``MediaFileError`` if it cannot be written.
    init(path: String, header: ArchiveJournal) throws(MediaFileError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw MediaFileError(path: path, operation: "make", errno: errno) }
        try append(header.header)
    }

    deinit { close(descriptor) }

    /// Appends a row.
    ///
    /// - Throws: ``MediaFileError``
    func append(_ row: ArchiveJournal.Row) throws(MediaFileError) {
        let prefix = row.epoch == epoch ? "" : "epoch \(row.epoch)\n"
        try append("\(prefix)\(row.line)\n")
        epoch = row.epoch
    }

    private func append(_ text: String) throws(MediaFileError) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw MediaFileError(path: path, operation: "write", errno: count < 0 ? errno : ENOSPC)
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads a journal from disk.
    ///
    /// - Returns: `nil` if there is no readable journal.
    static func read(path: String) -> ArchiveJournal? {
        guard let size = MediaFile.identity(ofFileAt: path)?.byteCount, size <= maximumByteCount,
            let data = FileManager.default.contents(atPath: path)
        else { return nil }
        return ArchiveJournal(parsing: data)
    }
}
