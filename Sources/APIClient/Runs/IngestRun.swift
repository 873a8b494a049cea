import Foundation
import JSONDocument
import MediaCore
import MediaFolders

/// `antena ingest FILE|DIR…`: ingests files and shows their progress.
package struct IngestRun: Sendable {
    private static let pollInterval = Duration.milliseconds(200)
    private static let barWidth = 30

    private let destination: any IngestDestination
    private let posterTime: MediaTimestamp?
    private let output: RunOutput
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - destination: the library that receives the files.
    ///   - posterTime: the time of the frame that becomes the titles' poster; `nil` lets the library choose.
    ///   - output: what is shown; JSON has an object for each file, on a line of its own.
    ///   - write: receives the output, line ends included.
    package init(
        destination: any IngestDestination, posterTime: MediaTimestamp? = nil, output: RunOutput,
        write: @escaping @Sendable (String) -> Void
    ) {
        self.destination = destination
        self.posterTime = posterTime
        self.output = output
        self.write = write
    }

    /// Creates a run that writes to standard output.
    ///
    /// - Parameters:
    ///   - destination: the library that receives the files.
    ///   - posterTime: the time of the frame that becomes the titles' poster; `nil` lets the library choose.
    ///   - isJSON: whether the output is JSON.
    package init(destination: any IngestDestination, posterTime: MediaTimestamp? = nil, isJSON: Bool = false) {
        self.init(
            destination: destination, posterTime: posterTime, output: .standard(isJSON: isJSON), write: RunOutput.write)
    }

    /// Ingests the files, one after the other, and waits until each is ready or has failed.
    ///
    /// - Parameter files: files, and folders whose media files are ingested recursively.
    /// - Returns: whether every file became a title or a track.
    /// - Throws: ``ServerClientError`` if the server does not answer.
    package func run(files: [String]) async throws -> Bool {
        var succeeded = true
        for argument in files {
            let path = URL(filePath: argument).standardizedFileURL.path(percentEncoded: false)
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
                succeeded = try await ingest(path, shownAs: argument) && succeeded
                continue
            }
            let media = try MediaFiles.below(path)
            if media.isEmpty {
                report(nil, file: argument, failure: "no video or audio in it")
                succeeded = false
            }
            let folder = argument.hasSuffix("/") ? argument : argument + "/"
            for name in media { succeeded = try await ingest("\(path)/\(name)", shownAs: folder + name) && succeeded }
        }
        return succeeded
    }

    private func ingest(_ path: String, shownAs file: String) async throws -> Bool {
        do {
            return try await follow(try await destination.ingest(path: path), file: file)
        } catch let error as ServerClientError where !error.isUnreachable {
            report(nil, file: file, failure: "\(error)")
            return false
        }
    }

    /// Says what has become of a file.
    ///
    /// - Parameters:
    ///   - entry: what the file has become; `nil` if nothing.
    ///   - file: the file as the user has named it.
    ///   - failure: what went wrong beside the entry's own state; `nil` for nothing. Without JSON, an entry is shown
    ///     before.
    private func report(_ entry: IngestEntry?, file: String, failure: String? = nil) {
        guard output == .json else {
            if let failure { write("\(file): \(failure)\n") }
            return
        }
        let error = failure ?? (entry?.state == "ready" ? nil : entry.map(Self.reason))
        write(
            JSONText.object([
                ("file", .string(file)), ("id", .optional(entry?.id)), ("state", .string(entry?.state ?? "failed")),
                ("playlist", .optional(entry?.playlist)), ("error", .optional(error)),
            ]).rendered + "\n")
    }

    private func follow(_ queued: IngestEntry, file: String) async throws -> Bool {
        var entry = queued
        var shown = ""
        var pace = IngestPace()
        var lastState: String?
        while true {
            if entry.state != lastState { pace = IngestPace() }
            lastState = entry.state
            pace.note(entry.progress, at: .now)
            let isTerminal = output == .terminal
            let line = UntrustedText.escaped(Self.line(entry, file: file, isTerminal: isTerminal, pace: pace))
            if line != shown, output != .json {
                shown = line
                // Returns to the start of the line and clears the rest of the old text.
                write(isTerminal ? "\r\(line)\u{1B}[K" : "\(line)\n")
            }
            if entry.isEnded {
                if isTerminal { write("\n") }
                let failure = entry.state == "ready" ? try await setPoster(of: entry) : nil
                report(entry, file: file, failure: failure)
                return entry.state == "ready" && failure == nil
            }
            try await Task.sleep(for: Self.pollInterval)
            entry = try await destination.current(entry)
        }
    }

    /// - Returns: the reason why the title does not get its poster; it is playable all the same.
    private func setPoster(of entry: IngestEntry) async throws -> String? {
        guard let posterTime, entry.kind == .title else { return nil }
        do {
            try await destination.choosePoster(ofTitle: entry.id, at: posterTime.seconds)
            return nil
        } catch let error as ServerClientError where !error.isUnreachable {
            return "its poster: \(error)"
        }
    }

    /// The reason of a failure without the file name, which the output line already starts with.
    private static func reason(of entry: IngestEntry) -> String {
        guard let error = entry.error.map({ UntrustedText.escaped($0) }) else { return "no reason given" }
        guard let name = entry.file, error.hasPrefix("\(name): ") else { return error }
        return String(error.dropFirst(name.count + 2))
    }

    static func line(_ entry: IngestEntry, file: String, isTerminal: Bool, pace: IngestPace = IngestPace()) -> String {
        switch entry.state {
        case "ready":
            let seconds = entry.ingestSeconds.map { " in \(($0 * 1000).rounded() / 1000) s" } ?? ""
            return "\(file): ready\(seconds), \(entry.playlist ?? "-")"
        case "failed", "cancelled": return "\(file): \(entry.state): \(reason(of: entry))"
        default:
            let fraction = min(1, max(0, entry.progress ?? 0))
            let percent = Int((fraction * 100).rounded())
            guard isTerminal else { return "\(file): \(entry.state)\(percent > 0 ? " \(percent / 10 * 10) %" : "")" }
            let filled = Int(fraction * Double(barWidth))
            let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: barWidth - filled)
            let rest = pace.text(byteCount: entry.byteCount.map(Double.init)).map { ", \($0)" } ?? ""
            return "\(file): [\(bar)] \(percent) % \(entry.state)\(rest)"
        }
    }
}
