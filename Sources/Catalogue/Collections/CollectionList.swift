/// A list of collections: what belongs together by its details, such as the episodes of a series.
///
/// Collections have no rows of their own. They are what titles and tracks say about themselves, so that a collection
/// whose last title goes, or moves to another one, is gone.
struct CollectionList: Sendable, Hashable {
    /// The key of the list in the table.
    let name: String

    static let series = CollectionList(name: "series")
    static let albums = CollectionList(name: "albums")
    static let artists = CollectionList(name: "artists")

    /// The albums of one artist.
    static func albums(ofArtist id: String) -> CollectionList { CollectionList(name: "albums:\(id)") }
}
