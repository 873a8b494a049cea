package import Catalogue

extension CatalogueStore {
    /// All titles, in the order in which they were added.
    package func allTitles() async throws -> [TitleRecord] {
        var titles: [TitleRecord] = []
        try await forEachBatchOfTitles { titles += $0 }
        return titles
    }

    /// All tracks, in the order in which they were added.
    package func allTracks() async throws -> [AudioTrackRecord] {
        var tracks: [AudioTrackRecord] = []
        try await forEachBatchOfTracks { tracks += $0 }
        return tracks
    }
}
