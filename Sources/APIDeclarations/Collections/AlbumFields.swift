package import APIContract

/// The fields of an album: the tracks with the same artist and album.
package struct AlbumFields: ObjectFields {
    package static let name = "Album"
    package static let fields = AlbumFields()
    package static let columns = [
        TableColumn("ID", fields.id), TableColumn("ALBUM", fields.name, .short),
        TableColumn("ARTIST", fields.artist, .short), TableColumn("YEAR", fields.year),
        TableColumn("TRACKS", fields.trackCount),
    ]

    package let id = Field<String>(
        "id", "identifier, which stays the same as long as the names of album and artist do",
        .pattern("^[0-9a-f]{24}$"), .example("5f0c2d3b9a7e41688c1d0f2e"))
    package let name = Field<String>("name", "name of the album", .example("Uno"))
    package let artist = Field<String?>("artist", "name of the artist; null if it is not known", .example("Ana"))
    package let artistId = Field<String?>(
        "artistId", "ID of the artist; null if it is not known", .pattern("^[0-9a-f]{24}$"),
        .example("5f0c2d3b9a7e41688c1d0f2e"))
    package let year = Field<Int?>("year", "year of the first track; null if it is not known")
    package let trackCount = Field<Int>(
        "trackCount", "number of tracks that the sender may be shown, counted up to 1000", .minimum(1), .maximum(1000))
    package let cover = Field<String?>(
        "cover", "path of the image of the first track; null if it has none", .example("/radio/song/cover?v=1a2b3c"))

    package init() {}
}
