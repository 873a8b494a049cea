package import Packaging

/// Makes slates, somewhere else: with libav, in a process of its own.
package protocol SlateSource: Sendable {
    /// - Parameters:
    ///   - present: made before, of the same shape and design and for the same channel: given back if the file is as it
    ///     was.
    ///   - completion: called once, on any thread; the error is for the operator.
    func makeSlate(
        _ shape: SlateShape, design: SlateDesign, channel: String, present: Slate?,
        completion: @escaping @Sendable (Result<Slate, any Error>) -> Void)
}

/// What a slate shows.
package struct SlateDesign: Sendable, Hashable {
    /// The file as `channels.json` names it; `nil` for a card with the channel's title.
    package var file: String?
    /// The channel's title, written on the card.
    package var title: String

    package init(file: String?, title: String) {
        self.file = file
        self.title = title
    }

    /// Whether both look the same: the title is not written on a file's images.
    func looksLike(_ other: SlateDesign) -> Bool {
        file == other.file && (file != nil || title == other.title)
    }
}
