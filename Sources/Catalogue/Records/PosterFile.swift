/// An image beside the file of a title or track that is to be its poster or cover.
package struct PosterFile: Sendable, Hashable {
    package var path: String
    /// A text without blanks that changes whenever the file does.
    package var revision: String

    package init(path: String, revision: String) { (self.path, self.revision) = (path, revision) }

    /// Reads what ``stored`` has written; `nil` for anything else.
    init?(stored text: String) {
        guard let blank = text.firstIndex(of: " ") else { return nil }
        self.init(path: String(text[text.index(after: blank)...]), revision: String(text[..<blank]))
    }

    var stored: String { "\(revision) \(path)" }
}
