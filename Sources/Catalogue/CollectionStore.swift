package import MediaCore

/// Series, albums and artists: titles and tracks that can be played, by what their details say. What the reader may not
/// be shown is left out, and so is a collection of nothing else; `nil` for `visible` shows all.
package protocol CollectionStore: Sendable {
    /// A page of series in alphabetical order.
    ///
    /// - Parameters:
    ///   - visible: which titles the reader may be shown.
    ///   - cursor: the `next` value of the previous page; `nil` for the first page.
    ///   - limit: page size, clamped to 1...``Catalogue/maximumPageSize``.
    /// - Throws: `Refusal` if the cursor is not valid.
    func series(
        visible: RecordVisibility?, after cursor: String?, limit: Int
    ) async throws -> ListPage<LibraryCollection<TitleRecord>>
    /// A series; `nil` if there is none with this ID.
    func series(id: String, visible: RecordVisibility?) async throws -> LibraryCollection<TitleRecord>?
    /// A page of the titles of a series, by season, episode and name; the parameters are those of the list of series.
    func titles(
        ofSeries id: String, visible: RecordVisibility?, after cursor: String?, limit: Int
    ) async throws -> ListPage<ListedTitle>

    /// A page of albums in alphabetical order; see ``series(visible:after:limit:)``.
    ///
    /// - Parameters:
    ///   - artist: the ID of an artist; `nil` for the albums of all.
    ///   - visible: which tracks the reader may be shown.
    ///   - cursor: the `next` value of the previous page; `nil` for the first page.
    ///   - limit: page size.
    func albums(
        ofArtist artist: String?, visible: RecordVisibility?, after cursor: String?, limit: Int
    ) async throws -> ListPage<LibraryCollection<AudioTrackRecord>>
    /// An album; `nil` if there is none with this ID.
    func album(id: String, visible: RecordVisibility?) async throws -> LibraryCollection<AudioTrackRecord>?
    /// A page of the tracks of an album, by number and name.
    func tracks(
        ofAlbum id: String, visible: RecordVisibility?, after cursor: String?, limit: Int
    ) async throws -> ListPage<AudioTrackRecord>

    /// A page of artists in alphabetical order; see ``series(visible:after:limit:)``.
    func artists(
        visible: RecordVisibility?, after cursor: String?, limit: Int
    ) async throws -> ListPage<LibraryCollection<AudioTrackRecord>>
    /// An artist; `nil` if there is none with this ID.
    func artist(id: String, visible: RecordVisibility?) async throws -> LibraryCollection<AudioTrackRecord>?
}
