package import APIContract
package import APIDeclarations

/// Series, albums and artists.
extension ServerClient {
    /// The series of the titles that can be played, at most `limit`.
    package func series(limit: Int) async throws -> [APIObject<SeriesFields>] {
        try await items(CollectionAPI.listSeries, limit: limit)
    }

    /// A series.
    package func series(id: String) async throws -> APIObject<SeriesFields> {
        try await send(CollectionAPI.getSeries, id)
    }

    /// The titles of a series in their order, at most `limit`.
    package func titles(ofSeries id: String, limit: Int) async throws -> [APIObject<ListedTitleFields>] {
        try await items(CollectionAPI.listTitlesOfSeries, id, limit: limit)
    }

    /// The albums of an artist, at most `limit`; `nil` for those of all artists.
    package func albums(ofArtist artist: String?, limit: Int) async throws -> [APIObject<AlbumFields>] {
        try await items(CollectionAPI.listAlbums, query: [("artist", artist)], limit: limit)
    }

    /// An album.
    package func album(id: String) async throws -> APIObject<AlbumFields> {
        try await send(CollectionAPI.getAlbum, id)
    }

    /// The tracks of an album in their order, at most `limit`.
    package func tracks(ofAlbum id: String, limit: Int) async throws -> [APIObject<TrackFields>] {
        try await items(CollectionAPI.listTracksOfAlbum, id, limit: limit)
    }

    /// The artists of the tracks that can be played, at most `limit`.
    package func artists(limit: Int) async throws -> [APIObject<ArtistFields>] {
        try await items(CollectionAPI.listArtists, limit: limit)
    }
}
