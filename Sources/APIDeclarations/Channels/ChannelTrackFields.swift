package import APIContract
import JSONDocument

/// The fields of a track of the push that a channel shows.
package struct ChannelTrackFields: ObjectFields {
    package static let name = "ChannelTrack"
    package static let fields = ChannelTrackFields()

    package let id = Field<Int>("id", "identifier of the track within the push")
    package let type = Field<String>("type", "kind of the track: video or audio", .example("video"))
    package let codec = Field<String>(
        "codec", "name of the codec; absent until it is known", .optional, .example("H.264"))
    package let rfc6381 = Field<String>(
        "rfc6381", "codec as playlists name it (RFC 6381); absent until it is known", .optional,
        .example("avc1.64001f"))
    package let transcodedFrom = Field<String>(
        "transcodedFrom", "codec that the publisher sends; absent if viewers get the same", .optional,
        .example("G.711 µ-law"))
    package let width = Field<Int>(
        "width", "width in pixels; absent for audio, and until it is known", .optional, .example(.integer(1_280)))
    package let height = Field<Int>(
        "height", "height in pixels; absent for audio, and until it is known", .optional, .example(.integer(720)))
    package let frameRate = Field<Double>(
        "frameRate", "measured frames per second, as the publisher sends them; absent until they are known", .optional)
    package let bitRate = Field<Int>(
        "bitRate", "measured bits per second, as the publisher sends them; absent until they are known", .optional,
        .example(.integer(2_500_000)))
    package let sampleRate = Field<Int>(
        "sampleRate", "sampling rate in hertz; absent for video, and until it is known", .optional,
        .example(.integer(48_000)))
    package let channels = Field<Int>(
        "channels", "number of audio channels; absent for video, and until it is known", .optional,
        .example(.integer(2)))

    package init() {}
}
