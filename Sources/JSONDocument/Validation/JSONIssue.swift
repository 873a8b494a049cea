/// One mistake in a JSON document.
package struct JSONIssue: Sendable, Hashable, CustomStringConvertible {
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
