package import APIContract

/// The fields of the program, and of the share that channels, titles and tracks have.
package struct AboutFields: ObjectFields {
    package static let name = "About"
    package static let fields = AboutFields()

    package let name = Field<String>("name", "name of the program", .example("Antena"))
    package let version = Field<String>("version", "version of the program", .example("0.1.0"))
    package let author = Field<String>("author", "author of the program", .example("The Antena founders"))
    package let liveChannels = Field<APIObject<ShareFields>>(
        "liveChannels", "number and share of the configured channels")
    package let titles = Field<APIObject<ShareFields>>(
        "titles", "number and share of the titles that can be played, without trailers")
    package let tracks = Field<APIObject<ShareFields>>("tracks", "number and share of the tracks that can be played")
    package let total = Field<Int>("total", "sum of channels, titles and tracks")
    package let channelsOnAir = Field<Int>(
        "channelsOnAir", "number of configured channels that are on the air; liveChannels counts all")
    package let chart = Field<String>(
        "chart", "path of a pie chart of the shares, in SVG", .example("/about/chart.svg"))
    package let rtspPort = Field<Int?>(
        "rtspPort", "port of the RTSP listener without TLS; null if there is none", .optional)

    package let messaging = Field<APIObject<MessagingLimitsFields>>(
        "messaging", "limits of contacts and messages")

    package init() {}
}
