/// A Multivariant Playlist (rfc8216bis §4.4.6) as a value.
package struct MultivariantPlaylist: Sendable, Hashable {
    /// The protocol version (EXT-X-VERSION).
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
