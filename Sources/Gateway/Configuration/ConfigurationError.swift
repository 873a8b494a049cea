/// One thing that is wrong in a configuration file.
package struct ConfigurationIssue: Sendable, Hashable, CustomStringConvertible {
    /// `nil` where the whole file is meant: it cannot be read, say.
    package var position: TextPosition?
    /// `channels[2].defaultPreset`; empty for the whole file.
    package var field: String
    /// What is wrong, and what would be right.
    package var message: String

    package init(position: TextPosition?, field: String, message: String) {
        self.position = position
        self.field = field
        self.message = message
    }

    package var description: String {
        [position.map { "\($0)" }, field.isEmpty ? nil : field, message].compactMap { $0 }.joined(separator: ": ")
    }
}

/// Everything that is wrong with a configuration; each line of its description is `file:line:column: field: what`.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    package var file: String
    /// In the order of the file.
    package var issues: [ConfigurationIssue]

    package init(file: String, issues: [ConfigurationIssue]) {
        self.file = file
        self.issues = issues
    }

    package var description: String {
        issues.map { issue in
            issue.position == nil ? "\(file): \(issue)" : "\(file):\(issue)"
        }.joined(separator: "\n")
    }
}
