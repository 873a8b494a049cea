package import JSONDocument

/// Series, albums and artists.
extension ServerClient {
    /// The series of the titles that can be played, at most `limit`.
    package func series(limit: Int) async throws -> [JSONNode] { try await list("/api/v1/series", limit: limit) }

    /// A series.
    package func series(id: String) async throws -> JSONNode { try await get(Self.path("series", id)) }

    /// The titles of a series in their order, at most `limit`.
    package func titles(ofSeries id: String, limit: Int) async throws -> [JSONNode] {
        try await list(Self.path("series", id, "titles"), limit: limit)
    }

    /// The albums of an artist, at most `limit`; `nil` for those of all artists.
    package func albums(ofArtist artist: String?, limit: Int) async throws -> [JSONNode] {
        try await list("/api/v1/albums\(artist.map { "?artist=\(Self.escaped($0))" } ?? "")", limit: limit)
    }

    /// An album.
    package func album(id: String) async throws -> JSONNode { try await get(Self.path("albums", id)) }

    /// The tracks of an album in their order, at most `limit`.
    package func tracks(ofAlbum id: String, limit: Int) async throws -> [JSONNode] {
        try await list(Self.path("albums", id, "tracks"), limit: limit)
    }

    /// The artists of the tracks that can be played, at most `limit`.
    package func artists(limit: Int) async throws -> [JSONNode] { try await list("/api/v1/artists", limit: limit) }
}
