package import APIContract

/// The fields of a promised and a measured size of the video.
package struct ChannelPresetComparisonResolutionFields: ObjectFields {
    package static let name = "ChannelPresetComparisonResolution"
    package static let fields = ChannelPresetComparisonResolutionFields()

    package let promised = Field<APIObject<ResolutionFields>>("promised", "size that the preset promises")
    package let measured = Field<APIObject<ResolutionFields>>(
        "measured", "size that the publisher sends; absent if it is not known", .optional)
    package let verdict = Field<Verdict>(
        "verdict", "relation of the measured size to the promised one; absent if nothing was measured", .optional)

    package init() {}
}
