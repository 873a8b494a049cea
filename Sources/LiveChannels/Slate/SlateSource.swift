package import Packaging

/// Makes slates outside the server process, with libav.
package protocol SlateSource: Sendable {
    /// Makes a slate for a channel.
    ///
    /// - Parameters:
    ///   - present: a slate made before, with the same shape and design and for the same channel; it is returned if the
    ///     file is unchanged.
    ///   - completion: called once, on any thread; the error is human-readable.
    func makeSlate(
        _ shape: SlateShape, design: SlateDesign, channel: String, present: Slate?,
        completion: @escaping @Sendable (Result<Slate, any Error>) -> Void)
}

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
