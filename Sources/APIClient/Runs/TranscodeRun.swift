package import JSONDocument
import MediaCore
import NIOHTTP1

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
        for omitted in status["omitted"]?.elements ?? [] where output != .json {
            let reason = UntrustedText.escaped(omitted.text("reason"))
            write("\(title): without \(UntrustedText.escaped(omitted.text("preset"))): \(reason)\n")
        }
        var shown = ""
        let isTerminal = output == .terminal
        while true {
            let line = UntrustedText.escaped(Self.line(status, title: title, isTerminal: isTerminal))
            if line != shown, output != .json {
                shown = line
                write(isTerminal ? "\r\(line)\u{1B}[K" : "\(line)\n")
            }
            let state = status["state"]?.string ?? ""
            guard isAwaited, ["queued", "transcoding"].contains(state) else {
                if isTerminal { write("\n") }
                if output == .json { write(JSONText(status).rendered + "\n") }
                return ["ready", "queued", "transcoding"].contains(state)
            }
            try await Task.sleep(for: Self.pollInterval)
            status = try await client.get(ServerClient.path("titles", id, "transcode"))
        }
    }

    /// Cancels the encoding of a ladder, or deletes a complete ladder.
    ///
    /// - Throws: ``ServerClientError``
    package func drop(title: String) async throws {
        let status = try await client.dropTranscode(titleID: try await client.titleID(title))
        guard output != .json else { return write(JSONText(status).rendered + "\n") }
        write("\(title): \(status.text("state") == "cancelled" ? "cancelled" : "no ladder")\n")
    }

    static func line(_ status: JSONNode, title: String, isTerminal: Bool) -> String {
        let state = status.text("state")
        switch state {
        case "ready":
            let rungs = (status["rungs"]?.elements ?? []).map { rung in
                let size = "\(rung["width"]?.integer ?? 0)x\(rung["height"]?.integer ?? 0)"
                return "\(rung.text("preset")) (\(size), \((rung["videoBitrate"]?.integer ?? 0) / 1000) kbit/s)"
            }
            return "\(title): ready: \(rungs.joined(separator: ", "))"
        case "failed": return "\(title): failed: \(UntrustedText.escaped(status["error"]?.string ?? "no reason given"))"
        case "transcoding":
            let percent = Int((min(1, max(0, status["progress"]?.number ?? 0)) * 100).rounded(.down))
            return "\(title): transcoding \(isTerminal ? percent : percent / 10 * 10) %"
        default: return "\(title): \(state)"
        }
    }
}

extension ServerClient {
    /// Queues the encoding of a title's ladder and returns the ladder's state.
    package func transcode(titleID: String, presets: [String]) async throws -> JSONNode {
        try await send(
            .POST, Self.path("titles", titleID, "transcode"),
            .object([("presets", .array(presets.map(JSONText.string)))]))
    }

    /// Cancels the encoding of a title's ladder, or deletes a complete ladder, and returns the ladder's state.
    package func dropTranscode(titleID: String) async throws -> JSONNode {
        try await send(.DELETE, Self.path("titles", titleID, "transcode"))
    }
}
