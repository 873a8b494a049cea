/// A rendition: one EXT-X-MEDIA tag (rfc8216bis §4.4.6.1).
package struct Rendition: Sendable, Hashable {
    package var type: RenditionType
    package var groupID: String
    package var name: String
    /// RFC 5646 language tag.
    package var language: String?
    package var isDefault: Bool
    package var isAutoselect: Bool
    /// Number of audio channels in the CHANNELS attribute; `nil` omits it.
    package var channels: Int?
    /// URI of the media playlist; `nil` if the media is part of the variants themselves.
    package var uri: String?
    /// FORCED attribute of subtitles: they are essential even for viewers who understand the audio, such as
    /// translated signs.
    package var isForced: Bool
    /// CHARACTERISTICS: Uniform Type Identifiers such as `public.accessibility.transcribes-spoken-dialog`.
    package var characteristics: [String]
    /// INSTREAM-ID of closed captions: `CC1` to `CC4`, or `SERVICE1` to `SERVICE63`.
    package var inStreamID: String?

    /// Kind of media in a rendition.
    package enum RenditionType: String, Sendable, Hashable {
        case audio = "AUDIO"
        case video = "VIDEO"
        case subtitles = "SUBTITLES"
        /// Captions in the frames of the variants themselves.
        case closedCaptions = "CLOSED-CAPTIONS"
    }

    package init(
        type: RenditionType, groupID: String, name: String, language: String? = nil, isDefault: Bool,
        isAutoselect: Bool, channels: Int? = nil, uri: String?, isForced: Bool = false, characteristics: [String] = []
    ) {
        self.type = type
        self.groupID = groupID
        self.name = name
        self.language = language
        self.isDefault = isDefault
        self.isAutoselect = isAutoselect
        self.channels = channels
        self.uri = uri
        self.isForced = isForced
        self.characteristics = characteristics
    }
}
