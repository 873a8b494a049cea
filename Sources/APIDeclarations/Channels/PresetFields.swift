package import APIContract
import JSONDocument

/// The fields of a quality preset, which a publisher promises and a ladder offers.
package struct PresetFields: ObjectFields {
    package static let name = "Preset"
    package static let fields = PresetFields()

    package let name = Field<String>("name", "name of the preset", .example("medium"))
    package let width = Field<Int>(
        "width", "width in pixels of the box that the video fits into", .example(.integer(854)))
    package let height = Field<Int>(
        "height", "height in pixels of the box that the video fits into", .example(.integer(480)))
    package let frameRate = Field<Double>("frameRate", "frames per second")
    package let videoBitrate = Field<Int>("videoBitrate", "bits per second of the video", .example(.integer(1_200_000)))
    package let audioBitrate = Field<Int>("audioBitrate", "bits per second of the audio", .example(.integer(96_000)))

    package init() {}
}
