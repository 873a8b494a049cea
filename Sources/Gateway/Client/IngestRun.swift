import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// `antena ingest FILE…`: hands files to a running server and shows how they get on.
package struct IngestRun: Sendable {
    private static let pollInterval = Duration.milliseconds(300)
    private static let barWidth = 30

    private let client: ServerClient
    private let isTerminal: Bool
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - isTerminal: a bar that moves in place, or a line for each change.
    ///   - write: gets text with its line ends.
    package init(client: ServerClient, isTerminal: Bool, write: @escaping @Sendable (String) -> Void) {
        self.client = client
        self.isTerminal = isTerminal
        self.write = write
    }

    /// On standard output.
    package init(client: ServerClient) {
        self.init(client: client, isTerminal: isatty(STDOUT_FILENO) == 1) {
            FileHandle.standardOutput.write(Data($0.utf8))
        }
    }

    /// - Returns: whether every file became a title or a track.
    package func run(files: [String]) async throws -> Bool {
        var succeeded = true
        for file in files {
            let path = URL(filePath: file).standardizedFileURL.path(percentEncoded: false)
            do {
                let title = try await client.ingest(path: path)
                succeeded = try await follow(title, file: file) && succeeded
            } catch let error as ServerClientError {
                write("\(file): \(error)\n")
                succeeded = false
            }
        }
        return succeeded
    }

    private func follow(_ queued: JSONNode, file: String) async throws -> Bool {
        var title = queued
        var shown = ""
        while true {
            let line = Self.line(title, file: file, isTerminal: isTerminal)
            if line != shown {
                shown = line
                // Back to the line's start, and the rest of the old one wiped.
                write(isTerminal ? "\r\(line)\u{1B}[K" : "\(line)\n")
            }
            let state = title["state"]?.string
            if state == "ready" || state == "failed" {
                if isTerminal { write("\n") }
                return state == "ready"
            }
            guard let id = title["id"]?.string, Self.isPathSegment(id) else {
                throw ServerClientError("The server's answer has no id.")
            }
            try await Task.sleep(for: Self.pollInterval)
            // Sound becomes a track, everything else a title; their playlists tell which.
            let collection = title.text("playlist").hasPrefix("/radio/") ? "tracks" : "titles"
            title = try await client.get("/api/v1/\(collection)/\(id)")
        }
    }

    private static func isPathSegment(_ id: String) -> Bool {
        !id.isEmpty && id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.~".contains($0)) }
    }

    static func line(_ title: JSONNode, file: String, isTerminal: Bool) -> String {
        let state = title["state"]?.string ?? ""
        switch state {
        case "ready":
            let seconds = title["ingestSeconds"]?.number.map { " in \(($0 * 1000).rounded() / 1000) s" } ?? ""
            return "\(file): ready\(seconds), \(title.text("playlist"))"
        case "failed": return "\(file): failed: \(title["error"]?.string ?? "no reason given")"
        default:
            let fraction = min(1, max(0, title["progress"]?.number ?? 0))
            let percent = Int((fraction * 100).rounded())
            guard isTerminal else { return "\(file): \(state)\(percent > 0 ? " \(percent / 10 * 10) %" : "")" }
            let filled = Int(fraction * Double(barWidth))
            let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: barWidth - filled)
            return "\(file): [\(bar)] \(percent) % \(state)"
        }
    }
}
