package import JSONDocument
import NIOHTTP1

/// The output of `antena reload`, and of the commands that change `channels.json`.
package struct ReloadReport: Sendable {
    /// The server's answer.
    package let answer: JSONNode

    /// - Parameter answer: the response of `POST /api/v1/reload`, or of a change of `/api/v1/configuration`.
    package init(answer: JSONNode) { self.answer = answer }

    /// One line per kind of change.
    package var text: String {
        var lines: [String] = []
        for (member, label) in [("added", "added"), ("changed", "changed"), ("removed", "removed")] {
            let names = answer[member]?.elements?.compactMap(\.string) ?? []
            if !names.isEmpty { lines.append("channels \(label): \(names.joined(separator: ", "))") }
        }
        if answer["presetsChanged"]?.boolean == true { lines.append("presets changed; they apply to new publishers") }
        if answer["ladderChanged"]?.boolean == true {
            lines.append("ladder changed; missing renditions are being made")
        }
        if answer["encryptionChanged"]?.boolean == true { lines.append("default encryption changed") }
        return lines.isEmpty ? "channels.json reloaded; no channel has changed" : lines.joined(separator: "\n")
    }
}

extension ServerClient {
    /// Makes the server reload `channels.json`.
    ///
    /// - Throws: ``ServerClientError`` with all mistakes in the file.
    package func reload() async throws -> ReloadReport {
        ReloadReport(answer: try await send(.POST, "/api/v1/reload", nil))
    }
}
