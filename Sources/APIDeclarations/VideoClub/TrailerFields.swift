package import APIContract

/// The fields of the trailer of a title.
package struct TrailerFields: ObjectFields {
    package static let name = "Trailer"
    package static let fields = TrailerFields()

    package let title = Field<String>(
        "title", "ID of the trailer, which is a title of its own", .example("film-trailer"))
    package let name = Field<String>("name", "name of the trailer", .example("Garden of life: trailer"))
    package let playlist = Field<String>(
        "playlist", "address of the trailer's HLS playlist", .format("uri-reference"),
        .example("/vod/film-trailer/playlist.m3u8"))

    package init() {}
}
