import LibraryDetails

/// The place of a title or track in a collection of a list.
struct CollectionEntry: Sendable {
    let list: CollectionList
    /// The ID of the collection.
    let collection: String
    /// The sort key of the list, different for each of its collections.
    let place: String
    /// The name of the collection, as this title or track writes it.
    let name: String
    /// The ID and the name of the artist of an album; `nil` for other collections, and if it is not known.
    let artist: (id: String, name: String)?
    /// The sort keys within the collection: the season, and the number of the episode or track.
    let part, position: Int

    /// The part or position of an item without a number, which comes last.
    static let unnumbered = 1_000_000

    init(
        _ list: CollectionList, _ id: String, _ name: CollectionName, artist: (id: String, name: String)? = nil,
        part: Int? = nil, position: Int? = nil
    ) {
        (self.list, collection, self.name, self.artist) = (list, id, name.text, artist)
        // The ID tells those apart that begin in the same way; two spaces are in no key.
        place = "\(name.sortKey)  \(id)"
        (self.part, self.position) = (part ?? Self.unnumbered, position ?? Self.unnumbered)
    }
}

extension TitleRecord {
    /// The ID of the series of an episode that can be played; `nil` without one. Only films are episodes.
    package var seriesID: String? { state == .ready && kind == .film ? seriesName?.identifier("series") : nil }

    private var seriesName: CollectionName? { CollectionName(details.text(.series)) }

    /// The places of a title that can be played: in its series.
    var collectionEntries: [CollectionEntry] {
        guard let id = seriesID, let name = seriesName else { return [] }
        return [
            CollectionEntry(
                .series, id, name, part: details.number(.season), position: details.number(.episode))
        ]
    }
}

extension AudioTrackRecord {
    /// The ID of the artist of a track that can be played; `nil` without one.
    package var artistID: String? { state == .ready ? artistName?.identifier("artist") : nil }
    /// The ID of the album of a track that can be played; `nil` without one. The same name of two artists is two
    /// albums.
    package var albumID: String? { state == .ready ? albumName?.identifier("album", of: artistName) : nil }

    private var artistName: CollectionName? { CollectionName(artist) }
    private var albumName: CollectionName? { CollectionName(album) }

    /// The places of a track that can be played: in its album, once among all and once among those of its artist, and
    /// in what its artist has.
    var collectionEntries: [CollectionEntry] {
        var entries: [CollectionEntry] = []
        let artist = artistID.flatMap { id in artistName.map { (id: id, name: $0) } }
        if let artist { entries.append(CollectionEntry(.artists, artist.id, artist.name)) }
        guard let id = albumID, let name = albumName else { return entries }
        for list in [.albums] + (artist.map { [CollectionList.albums(ofArtist: $0.id)] } ?? []) {
            entries.append(
                CollectionEntry(
                    list, id, name, artist: artist.map { ($0.id, $0.name.text) }, part: 0, position: trackNumber))
        }
        return entries
    }
}
