import Foundation

/// Reads passwords from files, because arguments are visible to everybody on the machine.
package enum PasswordFile {
    private static let maximumByteCount = 4_096

    /// Returns the first line of a file.
    ///
    /// - Throws: ``BroadcastError`` if the file cannot be read or the line is empty.
    package static func firstLine(of path: String) throws(BroadcastError) -> String {
        guard let handle = FileHandle(forReadingAtPath: path),
            let data = try? handle.read(upToCount: maximumByteCount)
        else { throw BroadcastError(.configuration, "\(path) cannot be read") }
        let text = String(decoding: data, as: UTF8.self)
        guard let line = text.split(separator: "\n", omittingEmptySubsequences: false).first, !line.isEmpty else {
            throw BroadcastError(.configuration, "\(path) has no password in its first line")
        }
        return String(line)
    }
}
