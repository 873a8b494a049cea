package import APIContract

/// The fields of a title's adaptive-bitrate ladder.
package struct LadderFields: ObjectFields {
    package static let name = "Ladder"
    package static let fields = LadderFields()

    package let id = Field<String>("id", "ID of the title", .example("film"))
    package let state = Field<String>(
        "state", "state of the ladder; none if nobody has asked for one",
        .oneOf("none", "queued", "transcoding", "ready", "failed", "cancelled"))
    package let job = Field<String?>("job", "ID of the encoding job; null if there is none", .example("12"))
    package let progress = Field<Double?>("progress", "progress of the encoding from 0 to 1; null in other states")
    package let error = Field<String?>("error", "reason of the failure; null if the encoding has not failed")
    package let encoder = Field<String?>(
        "encoder", "name of the encoder in libav; null until it is known", .example("libx264"))
    package let rungs = Field<[APIObject<LadderRungFields>]>(
        "rungs", "renditions, best first; empty until they have been chosen")
    package let omitted = Field<[APIObject<OmittedRungFields>]>("omitted", "presets that do not suit this title")

    package init() {}
}
