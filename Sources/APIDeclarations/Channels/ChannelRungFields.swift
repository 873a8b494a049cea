package import APIContract
import JSONDocument

/// The fields of a lower quality that the server makes of a push.
package struct ChannelRungFields: ObjectFields {
    package static let name = "ChannelRung"
    package static let fields = ChannelRungFields()

    package let name = Field<String>("name", "preset of the quality", .example("low"))
    package let state = Field<String>(
        "state",
        "state: encoded; asleep while nobody watches; dropped while the machine has no time for it; withoutSlot while other channels have all slots; failed",
        .oneOf("encoded", "asleep", "dropped", "withoutSlot", "failed"))
    package let width = Field<Int>(
        "width", "width in pixels; absent until it is known", .optional, .example(.integer(426)))
    package let height = Field<Int>(
        "height", "height in pixels; absent until it is known", .optional, .example(.integer(240)))
    package let bitRate = Field<Int>(
        "bitRate", "bit rate of the preset, in bits per second", .example(.integer(400_000)))
    package let playlist = Field<String>(
        "playlist", "path of the quality's HLS playlist", .example("/live/canalA.stream/video-low.m3u8"))

    package init() {}
}
