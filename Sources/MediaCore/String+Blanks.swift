extension String {
    /// The text without whitespace and line breaks at its ends.
    package var withoutSurroundingBlanks: String {
        let start = drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
    }
}
