package import MediaCore

/// The part of a channel's state that must survive a restart, so that a player that was watching can continue: sequence
/// numbers never go back.
package struct ChannelState: Sendable, Hashable, Codable {
    /// The media sequence number of the next segment.
    package var nextMediaSequence: Int
    /// The number of discontinuities that the channel has had.
    package var discontinuityCount: Int
    /// The target duration of the channel's playlists, in seconds; absent if none has been shown yet.
    package var targetDuration: Int?
    /// The target duration that the channel's last publisher needed, in seconds; see ``TargetDurationPolicy``.
    package var neededTargetDuration: Int?
    /// The end of the newest segment's media on the channel's timeline, in microseconds; absent before the first
    /// segment.
    package var mediaEnd: Int64?
    /// The time at which that segment was published.
    package var mediaEndedAt: WallClockTime?
    /// The date from which the times of manifests count; absent before the first segment.
    package var presentationStart: WallClockTime?
    /// The beginnings of the listed times without a discontinuity, so that manifests say the same of them; absent
    /// before the first segment.
    package var origins: [SavedOrigin]?
}

extension ChannelState {
    /// The start of the presentation that goes on after a restart; `nil` if it is not known, or if nobody plays it any
    /// more.
    ///
    /// - Parameters:
    ///   - now: the current time.
    ///   - retention: the time after which nobody plays it.
    func presentationStart(now: WallClockTime, retention: Duration) -> WallClockTime? {
        guard let presentationStart, let mediaEndedAt, presentationStart <= mediaEndedAt,
            now - mediaEndedAt < retention
        else { return nil }
        return presentationStart
    }

    /// The start of the media of a push after a restart; `nil` if it is not known. Players built on ffmpeg, and mpv,
    /// ignore discontinuities, and stall for as long as times go back.
    ///
    /// - Parameter now: the current time. The state is written every few segments, and the media published since then
    ///   did not last longer than the time that has passed.
    func mediaStart(now: WallClockTime) -> MediaTime? {
        guard let mediaEnd, let mediaEndedAt else { return nil }
        let longest = Int64(FileChannelStateStore.skippedSegmentCount * (targetDuration ?? 1)) * 1_000
        let passed = min(max(0, now.milliseconds(since: mediaEndedAt)), longest)
        return MediaTime(value: mediaEnd.addingSaturating(passed * 1_000), timescale: .microseconds)
    }
}
