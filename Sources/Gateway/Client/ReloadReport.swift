import NIOHTTP1

/// What `antena reload` prints.
package struct ReloadReport: Sendable {
    private let answer: JSONNode

    package init(answer: JSONNode) { self.answer = answer }

    package var text: String {
        var lines: [String] = []
        for (member, label) in [("added", "added"), ("changed", "changed"), ("removed", "removed")] {
            let names = answer[member]?.elements?.compactMap(\.string) ?? []
            if !names.isEmpty { lines.append("channels \(label): \(names.joined(separator: ", "))") }
        }
        if answer["presetsChanged"]?.boolean == true { lines.append("presets changed; new pushes are held to them") }
        if answer["ladderChanged"]?.boolean == true {
            lines.append("ladder changed; missing renditions are being made")
        }
        if answer["encryptionChanged"]?.boolean == true { lines.append("encryption by default changed") }
        return lines.isEmpty ? "channels.json reloaded; nothing has changed" : lines.joined(separator: "\n")
    }
}

extension ServerClient {
    /// Has the server read `channels.json` again.
    ///
    /// - Throws: ``ServerClientError`` with everything that is wrong with the file.
    package func reload() async throws -> ReloadReport {
        ReloadReport(answer: try await send(.POST, "/api/v1/reload", nil))
    }
}
