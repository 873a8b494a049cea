/// A Multivariant Playlist (rfc8216bis §4.4.6) as a value.
package struct MultivariantPlaylist: Sendable, Hashable {
    package var version: Int
    package var hasIndependentSegments: Bool
    package var renditions: [Rendition]
    package var variants: [VariantStream]
    package var iFrameVariants: [IFrameVariantStream]
    package var sessionData: [SessionData]

    package init(
        version: Int, hasIndependentSegments: Bool = true, renditions: [Rendition] = [], variants: [VariantStream] = [],
        iFrameVariants: [IFrameVariantStream] = [], sessionData: [SessionData] = []
    ) {
        self.version = version
        self.hasIndependentSegments = hasIndependentSegments
        self.renditions = renditions
        self.variants = variants
        self.iFrameVariants = iFrameVariants
        self.sessionData = sessionData
    }
}

/// EXT-X-SESSION-DATA (rfc8216bis §4.4.6.4) whose value is a JSON resource.
package struct SessionData: Sendable, Hashable {
    /// Identifier in reverse domain name notation.
    package var id: String
    package var uri: String

    package init(id: String, uri: String) {
        self.id = id
        self.uri = uri
    }
}

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

    /// Kind of media in a rendition.
    package enum RenditionType: String, Sendable, Hashable {
        case audio = "AUDIO"
        case video = "VIDEO"
        case subtitles = "SUBTITLES"
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

/// A variant: an EXT-X-STREAM-INF tag and its URI (rfc8216bis §4.4.6.2).
package struct VariantStream: Sendable, Hashable {
    /// BANDWIDTH in bits per second: the largest sum of peak segment bit rates of any playable combination.
    package var bandwidth: Int
    /// AVERAGE-BANDWIDTH in bits per second; `nil` omits the attribute.
    package var averageBandwidth: Int?
    /// Codecs of the renditions (RFC 6381), one entry per sample type.
    package var codecs: [String]
    package var resolution: Resolution?
    /// FRAME-RATE in frames per second; `nil` for audio.
    package var frameRate: Double?
    /// VIDEO-RANGE, such as `PQ`; `nil` for SDR, which is the default.
    package var videoRange: String?
    /// GROUP-ID of the audio renditions; `nil` if there are none.
    package var audioGroupID: String?
    /// GROUP-ID of the subtitles renditions; `nil` if there are none.
    package var subtitlesGroupID: String?
    package var uri: String

    /// Size of the video in pixels.
    package struct Resolution: Sendable, Hashable {
        package var width: Int
        package var height: Int

        package init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    package init(
        bandwidth: Int, averageBandwidth: Int?, codecs: [String], resolution: Resolution? = nil,
        frameRate: Double? = nil, videoRange: String? = nil, audioGroupID: String? = nil,
        subtitlesGroupID: String? = nil, uri: String
    ) {
        self.bandwidth = bandwidth
        self.averageBandwidth = averageBandwidth
        self.codecs = codecs
        self.resolution = resolution
        self.frameRate = frameRate
        self.videoRange = videoRange
        self.audioGroupID = audioGroupID
        self.subtitlesGroupID = subtitlesGroupID
        self.uri = uri
    }
}

/// EXT-X-I-FRAME-STREAM-INF (rfc8216bis §4.4.6.3): an I-frame playlist for trick play.
package struct IFrameVariantStream: Sendable, Hashable {
    /// BANDWIDTH in bits per second: the highest rate of any I-frame, its size spread over the time until the next.
    package var bandwidth: Int
    /// AVERAGE-BANDWIDTH in bits per second; `nil` omits the attribute.
    package var averageBandwidth: Int?
    /// Codec of the video track (RFC 6381); audio is not included.
    package var codecs: [String]
    package var resolution: VariantStream.Resolution?
    /// VIDEO-RANGE; see ``VariantStream/videoRange``.
    package var videoRange: String?
    package var uri: String

    package init(
        bandwidth: Int, averageBandwidth: Int?, codecs: [String], resolution: VariantStream.Resolution? = nil,
        videoRange: String? = nil, uri: String
    ) {
        self.bandwidth = bandwidth
        self.averageBandwidth = averageBandwidth
        self.codecs = codecs
        self.resolution = resolution
        self.videoRange = videoRange
        self.uri = uri
    }
}
