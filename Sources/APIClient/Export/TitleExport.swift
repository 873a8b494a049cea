import APIContract
import APIDeclarations
import Foundation
import JSONDocument
import MediaCore

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// `antena export TITLE DIR`: exports a title as plain files that any web server can serve. The folder appears only
/// when it is complete.
package struct TitleExport: Sendable {
    private let client: ServerClient
    private let output: RunOutput
    private let write: @Sendable (String) -> Void

    /// Limit of the number of files: a day of one-second segments in a dozen renditions.
    private static let maximumFileCount = 1_000_000
    private static let maximumPlaylistByteCount = 64 << 20
    private static let playlistName = "playlist.m3u8"
    private static let manifestName = "manifest.mpd"
    /// Step of the progress, in per cent, if the output is not a terminal.
    private static let reportedStep = 10

    /// - Parameters:
    ///   - client: the server that has the titles.
    ///   - output: what is shown.
    ///   - write: receives the output, line ends included.
    package init(client: ServerClient, output: RunOutput, write: @escaping @Sendable (String) -> Void) {
        self.client = client
        self.output = output
        self.write = write
    }

    /// Creates an export that writes to standard output.
    ///
    /// - Parameters:
    ///   - client: the server that has the titles.
    ///   - isJSON: whether the output is JSON.
    package init(client: ServerClient, isJSON: Bool) {
        self.init(client: client, output: .standard(isJSON: isJSON), write: RunOutput.write)
    }

    /// Exports a title.
    ///
    /// - Parameters:
    ///   - name: the title's ID, or its file name.
    ///   - directory: the folder to create.
    ///   - replaces: whether an existing export is replaced.
    /// - Throws: ``ServerClientError``
    package func run(title name: String, directory: String, replaces: Bool) async throws {
        let target = URL(filePath: directory).standardizedFileURL.path(percentEncoded: false)
        let path = target.count > 1 && target.hasSuffix("/") ? String(target.dropLast()) : target
        try Self.check(path, replaces: replaces)
        let title = try await client.title(try await client.titleID(name))
        guard title.state == "ready" else {
            throw ServerClientError("The title \(name) is not ready: \(title.error ?? title.state.cell).")
        }
        guard let playlist = title.playlist, let slash = playlist.range(of: "/", options: .backwards) else {
            throw ServerClientError("The server's answer has no playlist.")
        }
        let folder = String(playlist[..<slash.upperBound])
        let unfinished = FileReplacement.unfinishedPath(for: path)
        let parent = (path as NSString).deletingLastPathComponent
        // What an earlier export left that was killed.
        FileReplacement.sweep(parent.isEmpty ? "." : parent, now: WallClock.system.now())
        do {
            try FileManager.default.createDirectory(atPath: unfinished, withIntermediateDirectories: true)
            let lock = FileReplacement.lock(folder: unfinished)
            defer { close(lock) }
            let count = try await export(folder, manifest: title.manifest, to: unfinished)
            sync()
            try Self.put(unfinished, at: path)
            write(result(path, count))
        } catch {
            try? FileManager.default.removeItem(atPath: unfinished)
            throw error
        }
    }

    private func result(_ path: String, _ count: (files: Int, bytes: Int)) -> String {
        let text = "\(path): \(count.files) files, \(count.bytes >> 20) MiB"
        return switch output {
        case .terminal: "\r\(text)\u{1B}[K\n"
        case .lines: "\(text)\n"
        case .json:
            JSONText.object([
                ("folder", .string(path)), ("fileCount", .integer(count.files)), ("byteCount", .integer(count.bytes)),
            ]).rendered + "\n"
        }
    }

    // MARK: Files

    /// - Parameter manifest: the path of the manifest; `nil` for a title without one.
    private func export(
        _ folder: String, manifest: String?, to directory: String
    ) async throws -> (files: Int, bytes: Int) {
        var texts: [String: String] = [:]
        var requests: [String: String] = [Self.playlistName: Self.playlistName]
        var files = [Self.playlistName]
        func add(_ named: [String], _ addresses: [String: String]) throws(ServerClientError) {
            for file in named where requests[file] == nil {
                requests[file] = addresses[file]
                files.append(file)
            }
            guard files.count <= Self.maximumFileCount else {
                throw ServerClientError("The title has more than \(Self.maximumFileCount) files.")
            }
        }
        var position = 0
        // The playlists come first: they tell how many files there are.
        while position < files.count {
            defer { position += 1 }
            let file = files[position]
            guard file.hasSuffix(".m3u8") else { continue }
            let bytes = try await client.resource(
                folder + (requests[file] ?? file), maximumByteCount: Self.maximumPlaylistByteCount)
            let playlist: ExportedPlaylist
            do {
                playlist = try ExportedPlaylist(String(decoding: bytes, as: UTF8.self))
            } catch {
                throw ServerClientError("The playlist \(file) refers to a file outside of the title: \(error.uri)")
            }
            texts[file] = playlist.text
            try add(playlist.files, playlist.requests)
        }
        if let manifest {
            let bytes = try await client.resource(manifest, maximumByteCount: Self.maximumPlaylistByteCount)
            // Its segments are those of the playlists.
            let exported = ExportedManifest(String(decoding: bytes, as: UTF8.self))
            texts[Self.manifestName] = exported.text
            files.append(Self.manifestName)
            try add(exported.files, exported.requests)
        }
        var byteCount = 0
        var progress = Progress()
        for (index, file) in files.enumerated() {
            try Task.checkCancellation()
            let path = "\(directory)/\(file)"
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            if let text = texts[file] {
                byteCount += text.utf8.count
                try Data(text.utf8).write(to: URL(filePath: path))
            } else {
                byteCount += try await client.download(folder + (requests[file] ?? file), to: path)
            }
            let line = progress.line(done: index + 1, of: files.count, isTerminal: output == .terminal)
            if let line, output != .json { write(line) }
        }
        return (files.count, byteCount)
    }

    private struct Progress {
        private var shown = -1

        mutating func line(done: Int, of count: Int, isTerminal: Bool) -> String? {
            let percent = done * 100 / max(1, count)
            let step = isTerminal ? percent : percent / reportedStep * reportedStep
            guard step > shown, done < count else { return nil }
            shown = step
            return isTerminal ? "\rexporting \(percent) %\u{1B}[K" : "exporting \(step) %\n"
        }
    }

    // MARK: The folder

    /// Checks the target folder before anything is fetched.
    private static func check(_ path: String, replaces: Bool) throws(ServerClientError) {
        let manager = FileManager.default
        guard let names = try? manager.contentsOfDirectory(atPath: path) else {
            guard !manager.fileExists(atPath: path) else {
                throw ServerClientError("\(path) is not a folder.")
            }
            return
        }
        guard !names.isEmpty else { return }
        guard replaces else {
            throw ServerClientError("\(path) already exists; use --force to replace an export.")
        }
        // A mistyped path must not cost a home directory.
        guard names.contains(playlistName) else {
            throw ServerClientError("\(path) does not contain an export and cannot be replaced; choose another folder.")
        }
    }

    private static func put(_ unfinished: String, at path: String) throws {
        let old = "\(unfinished)-old"
        let hasOld = rename(path, old) == 0
        guard rename(unfinished, path) == 0 else {
            let reason = String(cString: strerror(errno))
            if hasOld { rename(old, path) }
            throw ServerClientError("\(path) cannot be created: \(reason)")
        }
        if hasOld { try? FileManager.default.removeItem(atPath: old) }
    }
}
