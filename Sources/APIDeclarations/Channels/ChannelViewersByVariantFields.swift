package import APIContract

/// The fields of the numbers of a channel's viewers by variant.
package struct ChannelViewersByVariantFields: ObjectFields {
    package static let name = "ChannelViewersByVariant"
    package static let meaning: String? = "numbers of viewers by variant: video, audio only, MPEG-TS"
    package static let fields = ChannelViewersByVariantFields()

    package let video = Field<Int>("video", "number of viewers of the video, with its audio")
    package let audio = Field<Int>("audio", "number of viewers of the audio alone")
    package let ts = Field<Int>("ts", "number of viewers of MPEG-TS")

    package init() {}
}
