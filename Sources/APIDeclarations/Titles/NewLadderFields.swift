package import APIContract

/// The fields of a request for a title's ladder.
package struct NewLadderFields: ObjectFields {
    package static let name = "NewLadder"
    package static let fields = NewLadderFields()

    package let presets = Field<[String]>(
        "presets", "names of presets from /api/v1/presets, one for each rendition", .minimumCount(1), .maximumCount(64),
        .each(.pattern("^[A-Za-z0-9_-]{1,64}$"), .example("medium")))

    package init() {}
}
