import Foundation
import JSONDocument
import MediaCore

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The session in which somebody has logged in on the command line, in a file that only its user can read. It is sent
/// only to the server that has begun it.
package struct MemberSession: Sendable, Hashable {
    /// The server as the user has named it.
    package let server: String
    package let username: String
    let token: String

    package init(server: String, username: String, token: String) {
        (self.server, self.username, self.token) = (server, username, token)
    }

    /// The file of a user: `antena/session.json` in `$XDG_CONFIG_HOME`, or in `~/.config`.
    ///
    /// - Parameter environment: the environment variables of the process.
    package static func defaultPath(environment: [String: String]) -> String {
        let home = environment["HOME"] ?? "."
        let folder = environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? "\(home)/.config"
        return "\(folder)/antena/session.json"
    }

    /// Limit of the file, which is short.
    private static let maximumByteCount = 16 << 10

    /// Reads a session.
    ///
    /// - Throws: ``ServerClientError`` if nobody has logged in.
    package static func read(_ path: String) throws -> MemberSession {
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw ServerClientError("Nobody has logged in; do it with \"antena me log-in USER\".")
        }
        guard data.count <= maximumByteCount, let node = try? JSONParser.parse(data),
            let server = node["server"]?.string, let username = node["username"]?.string,
            let token = node["token"]?.string
        else { throw ServerClientError("\(path) is damaged; log in again with \"antena me log-in USER\".") }
        return MemberSession(server: server, username: username, token: token)
    }

    /// Writes the session to a file that only its user can read.
    ///
    /// - Throws: ``ServerClientError``
    package func write(to path: String) throws {
        let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let json = JSONText.object([
            ("server", .string(server)), ("username", .string(username)), ("token", .string(token)),
        ])
        do {
            try FileReplacement.write(Array(json.rendered.utf8), to: path)
        } catch {
            throw ServerClientError("\(error).")
        }
    }

    /// Deletes the file of a session.
    package static func remove(_ path: String) { unlink(path) }
}
