/// Finds links in text, which those who have just come are not trusted with.
enum CommentLinks {
    private static let beginnings = ["http://", "https://", "www.", "mailto:"]

    static func areIn(_ text: String) -> Bool {
        let text = text.lowercased()
        return beginnings.contains { text.contains($0) }
    }
}
