extension String {
    /// The text with its first character in upper case, as a sentence or a heading begins.
    var withCapital: String { prefix(1).uppercased() + dropFirst() }
}
