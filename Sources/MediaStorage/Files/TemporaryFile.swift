import Foundation
import Glibc
import MediaCore

/// A file that is written under a temporary name and gets its own name when it is complete and durable. Calls wait for
/// the disk.
struct TemporaryFile: Sendable {
    let file: LocalFile
    private let destination: String

    /// - Parameter destination: The path that the complete file gets, in a folder that is made if needed.
    init(for destination: String) throws {
        let folder = (destination as NSString).deletingLastPathComponent
        try LocalFile.makeFolder(folder)
        file = try LocalFile(
            "\(folder)/\(MediaKey.reservedNamePrefix)write-\(UUID().uuidString)", flags: O_RDWR | O_CREAT | O_EXCL)
        self.destination = destination
    }

    /// Makes the file durable and gives it its name.
    func complete() throws {
        try file.synchronize()
        try LocalFile.rename(file.path, to: destination)
        try LocalFile.synchronizeFolder((destination as NSString).deletingLastPathComponent)
    }

    /// Removes the file. The error that led here is the one that counts.
    func discard() { try? LocalFile.remove(file.path) }
}
