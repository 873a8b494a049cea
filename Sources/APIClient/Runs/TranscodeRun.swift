import APIContract
import APIDeclarations
import JSONDocument
import MediaCore

/// `antena transcode TITLE`: makes the server encode a title's ladder and shows the progress.
package struct TranscodeRun: Sendable {
    private static let pollInterval = Duration.milliseconds(500)

    private let client: ServerClient
    private let output: RunOutput
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - client: the server that has the titles.
    ///   - output: what is shown; JSON is what the server has said last.
    ///   - write: receives the output, line ends included.
    package init(client: ServerClient, output: RunOutput, write: @escaping @Sendable (String) -> Void) {
        self.client = client
        self.output = output
        self.write = write
    }

    /// Creates a run that writes to standard output.
    ///
    /// - Parameters:
    ///   - client: the server that has the titles.
    ///   - isJSON: whether the output is JSON.
    package init(client: ServerClient, isJSON: Bool) {
        self.init(client: client, output: .standard(isJSON: isJSON), write: RunOutput.write)
    }

    /// Queues the encoding of a ladder.
    ///
    /// - Parameters:
    ///   - title: the title's ID, or its file name.
    ///   - presets: names of presets.
    ///   - isAwaited: whether to wait until the job has ended.
    /// - Returns: whether the ladder is complete, or, without waiting, queued.
    /// - Throws: ``ServerClientError``
    package func make(title: String, presets: [String], isAwaited: Bool) async throws -> Bool {
        let id = try await client.titleID(title)
        var status = try await client.transcode(titleID: id, presets: presets)
        for omitted in status.omitted ?? [] where output != .json {
            let reason = UntrustedText.escaped(omitted.reason.cell)
            write("\(title): without \(UntrustedText.escaped(omitted.preset.cell)): \(reason)\n")
        }
        var shown = ""
        let isTerminal = output == .terminal
        while true {
            let line = UntrustedText.escaped(Self.line(status, title: title, isTerminal: isTerminal))
            if line != shown, output != .json {
                shown = line
                write(isTerminal ? "\r\(line)\u{1B}[K" : "\(line)\n")
            }
            let state = status.state ?? ""
            guard isAwaited, ["queued", "transcoding"].contains(state) else {
                if isTerminal { write("\n") }
                if output == .json { write(status.json.rendered + "\n") }
                return ["ready", "queued", "transcoding"].contains(state)
            }
            try await Task.sleep(for: Self.pollInterval)
            status = try await client.ladder(ofTitle: id)
        }
    }

    /// Cancels the encoding of a ladder, or deletes a complete ladder.
    ///
    /// - Throws: ``ServerClientError``
    package func drop(title: String) async throws {
        let status = try await client.dropTranscode(titleID: try await client.titleID(title))
        guard output != .json else { return write(status.json.rendered + "\n") }
        write("\(title): \(status.state == "cancelled" ? "cancelled" : "no ladder")\n")
    }

    static func line(_ status: APIObject<LadderFields>, title: String, isTerminal: Bool) -> String {
        let state = status.state.cell
        switch state {
        case "ready":
            let rungs = (status.rungs ?? []).map { rung in
                let size = "\(rung.width ?? 0)x\(rung.height ?? 0)"
                return "\(rung.preset.cell) (\(size), \((rung.videoBitrate ?? 0) / 1000) kbit/s)"
            }
            return "\(title): ready: \(rungs.joined(separator: ", "))"
        case "failed": return "\(title): failed: \(UntrustedText.escaped(status.error ?? "no reason given"))"
        case "transcoding":
            let percent = Int((min(1, max(0, status.progress ?? 0)) * 100).rounded(.down))
            return "\(title): transcoding \(isTerminal ? percent : percent / 10 * 10) %"
        default: return "\(title): \(state)"
        }
    }
}
