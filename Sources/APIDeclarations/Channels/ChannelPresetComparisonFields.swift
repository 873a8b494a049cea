package import APIContract

/// The fields of a comparison of a preset with the push that has promised it.
package struct ChannelPresetComparisonFields: ObjectFields {
    package static let name = "ChannelPresetComparison"
    package static let meaning: String? = "promised values of the preset and measured values of the publisher"
    package static let fields = ChannelPresetComparisonFields()

    package let resolution = Field<APIObject<ChannelPresetComparisonResolutionFields>>(
        "resolution", "size of the video")
    package let frameRate = Field<APIObject<PromisedRateFields>>("frameRate", "frames per second of the video")
    package let videoBitrate = Field<APIObject<PromisedRateFields>>("videoBitrate", "bits per second of the video")
    package let audioBitrate = Field<APIObject<PromisedRateFields>>("audioBitrate", "bits per second of the audio")

    package init() {}
}
