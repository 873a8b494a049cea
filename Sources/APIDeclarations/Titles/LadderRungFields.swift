package import APIContract
import JSONDocument

/// The fields of a rendition of a title's ladder.
package struct LadderRungFields: ObjectFields {
    package static let name = "LadderRung"
    package static let fields = LadderRungFields()

    package let preset = Field<String>("preset", "name of the preset", .example("medium"))
    package let width = Field<Int>("width", "width in pixels", .example(.integer(854)))
    package let height = Field<Int>("height", "height in pixels", .example(.integer(480)))
    package let frameRate = Field<Double>("frameRate", "maximum number of frames per second")
    package let videoBitrate = Field<Int>(
        "videoBitrate", "average bits per second of the video", .example(.integer(1_200_000)))

    package init() {}
}
