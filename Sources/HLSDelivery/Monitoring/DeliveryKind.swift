/// The content of a response, for the metrics.
package enum DeliveryKind: Int, Sendable, CaseIterable {
    case livePlaylist, livePart, liveSegment
    case titlePlaylist, titleSegment

    /// - Returns: `nil` for what players fetch once, such as keys and initialization sections.
    init?(_ media: MediaRequest) {
        let isLive = if case .channel = media.source { true } else { false }
        switch media.resource {
        case .playlist, .manifest, .manifestPatch: self = isLive ? .livePlaylist : .titlePlaylist
        case .part: self = .livePart
        case .segment, .transportStreamSegment, .titleTransportStreamSegment, .subtitleSegment:
            self = isLive ? .liveSegment : .titleSegment
        case .initializationSection, .subtitles, .chapters, .key, .license, .file: return nil
        }
    }
}
