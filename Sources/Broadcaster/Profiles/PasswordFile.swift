import Foundation

/// Passwords are read from files: arguments are seen by everybody on the machine.
package enum PasswordFile {
    private static let maximumByteCount = 4_096

    /// - Throws: ``BroadcastError``
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
