import Foundation
import Glibc
import MediaCore

/// A store of profiles in one file that only its owner may read.
package struct ProfileStore: Sendable {
    package static let defaultName = "default"
    /// The largest length of a profile's name in characters.
    package static let maximumNameLength = 64

    private struct Contents: Codable {
        var profiles: [String: BroadcastProfile] = [:]
    }

    /// The path of the file.
    package let path: String

    /// Creates a store in the user's configuration folder.
    ///
    /// - Parameter environment: The environment variables `XDG_CONFIG_HOME` and `HOME` (XDG Base Directory
    ///   Specification).
    package init(environment: [String: String]) {
        // The specification requires relative paths to be ignored.
        let configured = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let base = configured ?? (environment["HOME"] ?? NSHomeDirectory()) + "/.config"
        path = base + "/antena/broadcast.json"
    }

    /// The names of all profiles, sorted.
    package func names() throws(BroadcastError) -> [String] { try read().profiles.keys.sorted() }

    /// Reads a profile.
    ///
    /// - Returns: `nil` if there is no profile of that name.
    package func profile(named name: String) throws(BroadcastError) -> BroadcastProfile? { try read().profiles[name] }

    /// Adds or replaces a profile.
    package func save(_ profile: BroadcastProfile, as name: String) throws(BroadcastError) {
        guard !name.isEmpty, name.count <= Self.maximumNameLength else {
            throw BroadcastError(.usage, "a profile's name has 1 to \(Self.maximumNameLength) characters")
        }
        var contents = try read()
        contents.profiles[name] = profile
        try write(contents)
    }

    private func read() throws(BroadcastError) -> Contents {
        guard let data = FileManager.default.contents(atPath: path) else {
            guard !FileManager.default.fileExists(atPath: path) else {
                throw BroadcastError(.configuration, "\(path) cannot be read by this user")
            }
            return Contents()
        }
        do {
            return try JSONDecoder().decode(Contents.self, from: data)
        } catch {
            throw BroadcastError(
                .configuration,
                "\(path) is not a valid profile file; correct it, or delete it and configure again")
        }
    }

    /// Writes the file atomically, and never readable by others, not even briefly: it may hold a password.
    private func write(_ contents: Contents) throws(BroadcastError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let folder = (path as NSString).deletingLastPathComponent
        let data: Data
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            data = try encoder.encode(contents)
        } catch {
            throw BroadcastError(.configuration, "\(folder) cannot be created: \(FileErrorText(error))")
        }
        do {
            try FileReplacement.write(Array(data), to: path)
        } catch {
            throw BroadcastError(.configuration, error.description)
        }
    }
}
