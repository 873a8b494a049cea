package import APIContract

/// The fields of the map of a competition.
package struct CompetitionMapFields: ObjectFields {
    package static let name = "CompetitionMap"
    package static let fields = CompetitionMapFields()

    package let kind = Field<String>(
        "kind", "background of the map: the lines of a track, or an image", .oneOf("track", "image"))
    package let north = Field<Double>("north", "latitude of the upper edge, in degrees")
    package let west = Field<Double>("west", "longitude of the left edge, in degrees")
    package let south = Field<Double>("south", "latitude of the lower edge, in degrees")
    package let east = Field<Double>(
        "east", "longitude of the right edge, in degrees; less than `west` if the map crosses the antimeridian")
    package let image = Field<String?>(
        "image", "path of the image, which changes with it; null for a track", .format("uri-reference"),
        .example("/api/v1/competitions/c5n1q8e7w3r9t2y6p4d0f8g7h5/map/image?v=1a2b3c"))
    package let lines = Field<[APIObject<CompetitionMapLineFields>]>(
        "lines", "segments and routes of the track; empty for an image")

    package init() {}
}
