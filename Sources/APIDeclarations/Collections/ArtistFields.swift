package import APIContract

/// The fields of an artist of tracks.
package struct ArtistFields: ObjectFields {
    package static let name = "Artist"
    package static let fields = ArtistFields()
    package static let columns = [
        TableColumn("ID", fields.id), TableColumn("ARTIST", fields.name, .short),
        TableColumn("TRACKS", fields.trackCount),
    ]

    package let id = Field<String>(
        "id", "identifier, which stays the same as long as the name does", .pattern("^[0-9a-f]{24}$"),
        .example("5f0c2d3b9a7e41688c1d0f2e"))
    package let name = Field<String>("name", "name of the artist", .example("Ana"))
    package let trackCount = Field<Int>(
        "trackCount", "number of tracks that the sender may be shown, counted up to 1000", .minimum(1), .maximum(1000))
    package let cover = Field<String?>(
        "cover", "path of the image of the first track; null if it has none", .example("/radio/song/cover?v=1a2b3c"))

    package init() {}
}
