import ISOBMFF
import MediaCore

/// The selection of a movie's tracks for a title: one video, and all audio.
struct TrackSelection {
    private let index: MovieIndex

    init(_ index: MovieIndex) { self.index = index }

    /// The candidates for the video: enabled and not auxiliary (ISO/IEC 14496-12 §8.3.2, §8.3.3), because proxies,
    /// thumbnails and alpha planes lie in the same file. If no track is enabled, all count as enabled.
    private var videos: [MovieTrack] {
        let own = index.tracks.filter { $0.track.mediaType == .video && !$0.isAuxiliary }
        let enabled = own.filter(\.isEnabled)
        return enabled.isEmpty ? own : enabled
    }

    private var audio: [MovieTrack] { index.tracks.filter { $0.track.mediaType == .audio && !$0.isAuxiliary } }

    private static func isPlayable(_ track: MovieTrack) -> Bool {
        track.configuration != nil && track.samples.count > 0
    }

    /// Returns the tracks to package, video first if there is any.
    ///
    /// - Parameter leavesOutUnsupported: Whether the title may lose its video or all of its audio.
    /// - Throws: ``TitlePackagingError`` if conversion may preserve more, nothing is left, or a track is encrypted.
    func playable(leavesOutUnsupported: Bool) throws(TitlePackagingError) -> [MovieTrack] {
        // Half of a film that somebody else has locked is not what its owner expects to publish.
        if let track = index.tracks.first(where: \.isEncrypted) {
            let kind = track.track.mediaType == .video ? "video" : "audio"
            throw TitlePackagingError(.encrypted, "the \(kind) \(track.codec.obstacle ?? "is encrypted")")
        }
        var tracks: [MovieTrack] = []
        if let video = videos.first(where: Self.isPlayable) {
            tracks.append(video)
        } else if !leavesOutUnsupported, let reason = videos.lazy.compactMap(\.obstacle).first {
            throw TitlePackagingError(.unsupportedCodec, reason)
        } else if let other = index.tracks.first(where: {
            $0.track.mediaType == .video && !$0.isAuxiliary && Self.isPlayable($0)
        }) {
            tracks.append(other)
        }
        let audible = audio.filter(Self.isPlayable)
        if audible.isEmpty, !leavesOutUnsupported, let reason = audio.lazy.compactMap(\.obstacle).first {
            throw TitlePackagingError(.unsupportedCodec, reason)
        }
        tracks += audible
        guard !tracks.isEmpty else {
            if let reason = index.tracks.lazy.compactMap(\.obstacle).first {
                throw TitlePackagingError(.unsupportedCodec, reason)
            }
            throw TitlePackagingError(.noMedia, "there is neither video nor audio in it")
        }
        return tracks
    }

    /// The tracks that cannot be packaged, and why; one human-readable line each.
    var leftOut: [String] {
        (videos + audio).compactMap(\.leftOutText) + index.unreadTracks
    }
}

extension MovieTrack {
    /// Why the track cannot be packaged; `nil` if it can be.
    fileprivate var obstacle: String? { codec.obstacle }

    fileprivate var isEncrypted: Bool { if case .encrypted = codec { true } else { false } }
}
