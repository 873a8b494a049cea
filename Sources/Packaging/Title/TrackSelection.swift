import ISOBMFF
import MediaCore

/// Which of a movie's tracks become a title: one video, and all audio.
struct TrackSelection {
    private let index: MovieIndex

    init(_ index: MovieIndex) { self.index = index }

    /// The video that a title shows is enabled and not auxiliary (ISO/IEC 14496-12 §8.3.2, §8.3.3): proxies, thumbnails
    /// and alpha planes lie in the same file. Where no track is enabled, all are taken for it.
    private var videos: [MovieTrack] {
        let own = index.tracks.filter { $0.track.mediaType == .video && !$0.isAuxiliary }
        let enabled = own.filter(\.isEnabled)
        return enabled.isEmpty ? own : enabled
    }

    private var audio: [MovieTrack] { index.tracks.filter { $0.track.mediaType == .audio && !$0.isAuxiliary } }

    private static func isPlayable(_ track: MovieTrack) -> Bool {
        track.configuration != nil && track.samples.count > 0
    }

    /// Video first, if there is any.
    ///
    /// - Parameter leavesOutUnsupported: whether the title may lose its video or all of its audio.
    /// - Throws: ``TitlePackagingError`` where conversion may bring more, or nothing is left.
    func playable(leavesOutUnsupported: Bool) throws(TitlePackagingError) -> [MovieTrack] {
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

    /// Tracks that cannot be packaged, and why.
    var leftOut: [String] {
        (videos + audio).compactMap(\.leftOutText) + index.unreadTracks
    }
}

extension MovieTrack {
    /// Why it cannot be packaged; `nil` where it can be.
    fileprivate var obstacle: String? { if case .unsupported(_, let reason) = codec { reason } else { nil } }
}
