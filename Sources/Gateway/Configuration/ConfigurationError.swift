/// One mistake in a configuration file.
package struct ConfigurationIssue: Sendable, Hashable, CustomStringConvertible {
    /// The position of the mistake; `nil` if it concerns the whole file, for example because the file cannot be read.
    package var position: TextPosition?
    /// The field, such as `channels[2].defaultPreset`; empty for the whole file.
    package var field: String
    /// The mistake and its remedy.
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

/// All mistakes in a configuration; each line of the description is `file:line:column: field: message`.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    package var file: String
    /// The mistakes, in the order of the file.
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
