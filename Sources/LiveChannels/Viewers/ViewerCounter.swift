package import MediaCore
import Synchronization

/// Counts a channel's viewers without cookies: clients that fetched a playlist within the last window, told apart by
/// address and agent.
package final class ViewerCounter: Sendable {
    /// The times at which a viewer last requested playlists.
    private struct Sighting {
        var latest: WallClockTime
        var video: WallClockTime?
        var audio: WallClockTime?
        var transportStream: WallClockTime?
        let client: ClientKind

        mutating func note(_ variant: ViewedVariant?, now: WallClockTime) {
            latest = now
            switch variant {
            case .video: video = now
            case .audio: audio = now
            case .transportStream: transportStream = now
            case nil: break
            }
        }

        /// The variant that the viewer watches. A viewer that requests only audio listens; one that requests audio and
        /// video watches.
        func variant(now: WallClockTime) -> ViewedVariant? {
            func recent(_ time: WallClockTime?) -> WallClockTime? {
                time.flatMap { ViewerCounter.isRecent($0, now: now) ? $0 : nil }
            }
            switch (recent(video), recent(transportStream)) {
            case (let video?, let transportStream?): return video >= transportStream ? .video : .transportStream
            case (.some, nil): return .video
            case (nil, .some): return .transportStream
            case (nil, nil): return recent(audio) == nil ? nil : .audio
            }
        }
    }

    private struct State {
        var viewers: [UInt64: Sighting] = [:]
        /// The time at which departed viewers were last removed.
        var droppedAt: WallClockTime?

        mutating func dropOld(now: WallClockTime) {
            droppedAt = now
            viewers = viewers.filter { ViewerCounter.isRecent($0.value.latest, now: now) }
        }
    }

    private let state = Mutex(State())

    /// The time without a request after which a viewer is gone: twice the longest usual target duration, and a margin.
    package static let window = Duration.seconds(20)
    /// ``window`` in milliseconds, for the comparison with each viewer.
    private static let windowMilliseconds = UInt64(window.wholeMilliseconds)
    /// Limit on the viewers that are told apart; the count stops there until old ones have gone.
    package static let maximumViewerCount = 50_000
    /// Minimum time between two removals. Going through all viewers takes milliseconds under the lock, so it is not
    /// done for each request of a crowd, or of a client that uses a new name each time.
    private static let dropInterval = Duration.seconds(1)

    package init() {}

    /// Records a request for a playlist.
    ///
    /// - Parameters:
    ///   - key: a hash of address and agent.
    ///   - variant: the variant whose playlist was requested; `nil` for the multivariant playlist.
    ///   - now: the current time.
    ///   - client: the kind of the viewer's program; asked for with the first request only.
    package func saw(
        _ key: UInt64, variant: ViewedVariant? = nil, now: WallClockTime, client: @autoclosure () -> ClientKind = .other
    ) {
        state.withLock { state in
            if state.viewers.count >= Self.maximumViewerCount, state.viewers[key] == nil {
                if let droppedAt = state.droppedAt, (now - droppedAt).magnitude < Self.dropInterval { return }
                state.dropOld(now: now)
                guard state.viewers.count < Self.maximumViewerCount else { return }
            }
            state.viewers[key, default: Sighting(latest: now, client: client())].note(variant, now: now)
        }
    }

    /// The number of viewers that fetched a playlist within the last window.
    package func count(now: WallClockTime) -> Int { counts(now: now).total }

    /// The number of viewers, and how many have chosen each variant; each viewer is counted once.
    func counts(now: WallClockTime) -> (total: Int, byVariant: ChannelStatus.VariantViewers) {
        state.withLock { state in
            state.dropOld(now: now)
            var byVariant = ChannelStatus.VariantViewers()
            for sighting in state.viewers.values {
                switch sighting.variant(now: now) {
                case .video: byVariant.video += 1
                case .audio: byVariant.audio += 1
                case .transportStream: byVariant.ts += 1
                case nil: break
                }
            }
            return (state.viewers.count, byVariant)
        }
    }

    /// The number of viewers by the kind of their program.
    package func clients(now: WallClockTime) -> [ClientKind: Int] {
        state.withLock { state in
            state.dropOld(now: now)
            return state.viewers.values.reduce(into: [:]) { $0[$1.client, default: 0] += 1 }
        }
    }

    /// Returns whether the time is within the window in either direction, so that a clock that was set back does not
    /// keep viewers.
    private static func isRecent(_ time: WallClockTime, now: WallClockTime) -> Bool {
        now.milliseconds(since: time).magnitude < windowMilliseconds
    }
}
