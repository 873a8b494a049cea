/// A series, an album or an artist, as lists show it to a reader.
package struct LibraryCollection<Record: Sendable & Equatable>: Sendable, Equatable {
    /// ID that stays the same as long as the name does, however it is written.
    package var id: String
    /// The name as one of its titles or tracks writes it.
    package var name: String
    /// The ID of the artist of an album; `nil` for other collections, and if it is not known.
    package var artistID: String?
    package var artist: String?
    /// Number of titles or tracks that the reader may be shown, at most ``maximumCount``.
    package var count: Int
    /// The first of them, whose image stands for all.
    package var first: Record

    /// Limit of the count: a collection may have as many titles as the library.
    package static var maximumCount: Int { 1_000 }
}
