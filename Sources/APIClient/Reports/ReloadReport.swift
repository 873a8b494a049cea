package import APIContract
package import APIDeclarations

/// The output of `antena reload`, and of the commands that change `channels.json`.
package struct ReloadReport: Sendable {
    private let answer: APIObject<ReloadFields>

    /// - Parameter answer: what has changed.
    package init(answer: APIObject<ReloadFields>) { self.answer = answer }

    /// One line per kind of change.
    package var text: String {
        var lines: [String] = []
        for (names, label) in [(answer.added, "added"), (answer.changed, "changed"), (answer.removed, "removed")] {
            guard let names, !names.isEmpty else { continue }
            lines.append("channels \(label): \(names.joined(separator: ", "))")
        }
        if answer.presetsChanged == true { lines.append("presets changed; they apply to new publishers") }
        if answer.ladderChanged == true { lines.append("ladder changed; missing renditions are being made") }
        if answer.encryptionChanged == true { lines.append("default encryption changed") }
        return lines.isEmpty ? "channels.json reloaded; no channel has changed" : lines.joined(separator: "\n")
    }
}
