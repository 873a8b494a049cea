/// All mistakes in a JSON file; each line of the description is `file:line:column: field: message`.
package struct JSONFileError: Error, Sendable, Hashable, CustomStringConvertible {
    package var file: String
    /// The mistakes, in the order of the file.
    package var issues: [JSONIssue]

    package init(file: String, issues: [JSONIssue]) {
        self.file = file
        self.issues = issues
    }

    package var description: String {
        issues.map { issue in
            issue.position == nil ? "\(file): \(issue)" : "\(file):\(issue)"
        }.joined(separator: "\n")
    }
}
