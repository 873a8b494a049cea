/// The content of a slate.
package struct SlateDesign: Sendable, Hashable {
    /// The file as `channels.json` names it; `nil` for a card with the channel's title.
    package var file: String?
    /// The channel's title, written on the card.
    package var title: String

    package init(file: String?, title: String) {
        self.file = file
        self.title = title
    }

    /// Returns whether both designs look the same: the title is not written on a file's images.
    func looksLike(_ other: SlateDesign) -> Bool {
        file == other.file && (file != nil || title == other.title)
    }
}
