package import PlaybackPositions

/// A position, with what people read of the item that it is about.
package struct PositionedItem: Sendable {
    package var position: PlaybackPosition
    /// `nil` where only the position is wanted.
    package var name: String?
    /// The path of a picture; `nil` if there is none.
    package var poster: String?
    /// The path of the item's page.
    package var page: String?

    package init(_ position: PlaybackPosition, name: String? = nil, poster: String? = nil, page: String? = nil) {
        (self.position, self.name, self.poster, self.page) = (position, name, poster, page)
    }
}
