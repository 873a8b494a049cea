/// One way in which what a server sent breaks a rule.
package struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// The rule's number in the HLS Authoring Specification (`8.6`), or `bis` and a section of rfc8216bis, with a word
    /// where a section has several rules.
    package var rule: String
    /// The playlist's or segment's URL.
    package var url: String
    /// Counts from 1; `nil` where no line is to blame.
    package var line: Int?
    package var message: String

    package init(rule: String, url: String, line: Int? = nil, message: String) {
        self.rule = rule
        self.url = url
        self.line = line
        self.message = message
    }

    package var description: String {
        "\(url)\(line.map { ":\($0)" } ?? ""): \(rule): \(message)"
    }
}
