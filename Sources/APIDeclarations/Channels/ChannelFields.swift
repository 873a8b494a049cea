package import APIContract

/// The fields of the status of a channel.
package struct ChannelFields: ObjectFields {
    package static let name = "Channel"
    package static let fields = ChannelFields()

    package let name = Field<String>("name", "name of the channel, which is part of its addresses", .example("canalA"))
    package let title = Field<String>("title", "title of the channel for people", .example("Canal A"))
    package let description = Field<String>(
        "description", "description of the channel; absent if there is none", .optional)
    package let cover = Field<String>(
        "cover", "address of the image: a path on this server, or an https address; absent if there is none", .optional,
        .example("/live/canalA/cover"))
    package let website = Field<String>(
        "website", "address of a page about the channel; absent if there is none", .optional,
        .example("https://example.org/"))
    package let artist = Field<String>(
        "artist", "artist or maker of the channel's programme; absent if there is none", .optional)
    package let album = Field<String>(
        "album", "programme or collection that the channel shows; absent if there is none", .optional)
    package let state = Field<String>(
        "state",
        "state: idle without a publisher, live, or interrupted while viewers wait for a publisher to come back",
        .oneOf("idle", "live", "interrupted"))
    package let since = Field<APITime>(
        "since", "time at which the channel entered its state; absent if it has been idle since the server started",
        .optional)
    package let preset = Field<String>(
        "preset", "preset of the publisher, or the default of the channel without a publisher", .example("medium"))
    package let presets = Field<[String]>("presets", "presets that publishers may select")
    package let publisher = Field<APIObject<ChannelPublisherFields>>(
        "publisher", "publisher that is shown; absent if there is none", .optional)
    package let presetComparison = Field<APIObject<ChannelPresetComparisonFields>>(
        "presetComparison", "promised values of the preset and measured values of the publisher; absent without a push",
        .optional)
    package let slate = Field<Bool>("slate", "true while the slate is shown; absent otherwise", .optional)
    package let gopTooLong = Field<APIObject<KeyFrameAdviceFields>>(
        "gopTooLong", "advice about key frames; absent unless segments have to be cut without one", .optional)
    package let waitingPublishers = Field<[APIObject<ChannelPublisherFields>]>(
        "waitingPublishers", "publishers that go live when the previous ones have ended")
    package let tracks = Field<[APIObject<ChannelTrackFields>]>("tracks", "tracks of the push that is shown")
    package let ladder = Field<[APIObject<ChannelRungFields>]>(
        "ladder", "lower qualities that the server makes of the push; absent if there are none", .optional)
    package let viewers = Field<Int>("viewers", "number of current viewers, distinguished by address and user agent")
    package let viewersByVariant = Field<APIObject<ChannelViewersByVariantFields>>(
        "viewersByVariant", "numbers of viewers by variant: video, audio only, MPEG-TS")
    package let bytesIn = Field<Int>("bytesIn", "bytes received from publishers since the server started")
    package let bytesDiscarded = Field<Int>("bytesDiscarded", "bytes received from waiting publishers and discarded")
    package let bytesOut = Field<Int>("bytesOut", "bytes sent to viewers since the server started")
    package let packetsLost = Field<Int>(
        "packetsLost", "number of RTP packets lost on the way from publishers since the server started")
    package let errors = Field<[APIObject<ChannelErrorFields>]>("errors", "newest errors, the latest last, at most 20")
    package let playlist = Field<String>(
        "playlist", "path of the channel's HLS playlist", .example("/live/canalA.stream/playlist.m3u8"))
    package let manifest = Field<String>(
        "manifest", "path of the channel's DASH manifest", .example("/live/canalA.stream/manifest.mpd"))
    package let recording = Field<APIObject<RecordingFields>>(
        "recording", "recording of the channel; absent on a server without an archive", .optional)

    package init() {}
}
