package import APIContract

/// The fields of a publisher: the one that a channel shows, or one that waits until it is free.
package struct ChannelPublisherFields: ObjectFields {
    package static let name = "ChannelPublisher"
    package static let fields = ChannelPublisherFields()

    package let address = Field<String>(
        "address", "address and port of the publisher; for operators only", .optional, .example("192.0.2.7:51234"))
    package let userAgent = Field<String>(
        "userAgent", "name that the encoder has for itself; for operators only, and absent if it sends none", .optional,
        .example("Lavf/59.27.100"))
    package let transport = Field<String>(
        "transport", "transport of the media, such as RTSP/TCP, RTSP/UDP, RTSPS, RTMP, RTMPS or SRT",
        .example("RTSP/TCP"))
    package let preset = Field<String>(
        "preset", "preset that the publisher has selected, or the default of the channel", .example("medium"))
    package let since = Field<APITime>("since", "time at which the push began to be shown, or to wait")
    package let clockOffset = Field<Double>(
        "clockOffset", "seconds by which the publisher's clock is ahead of the server's; absent until it is known",
        .optional)
    package let captureDelay = Field<Double>(
        "captureDelay",
        "seconds from the capture of a frame to its arrival, as the channel had them when the push began; absent if zero",
        .optional)
    package let link = Field<APIObject<ChannelLinkFields>>(
        "link", "quality of the line to the publisher; absent for protocols that do not measure it", .optional)

    package init() {}
}
