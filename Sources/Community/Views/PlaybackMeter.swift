package import MediaCore
import Synchronization

/// Tells who has played enough of a title for a view, by the segments that players fetch.
///
/// It knows viewers by a hash only, for as long as it needs to, and at most ``maximumViewerCount`` of them: while there
/// are more, the views of the others are not counted.
package final class PlaybackMeter: Sendable {
    /// The playing time that makes a view; a shorter title has to be played to its end.
    package static let countedTime = Duration.seconds(10)
    /// The time after which the same viewer counts again.
    package static let repeatTime = Duration.seconds(3_600)
    /// The time without a segment after which somebody who has not played enough begins again.
    package static let idleTime = Duration.seconds(600)
    /// Limit of the viewers that are told apart: about 5 MB.
    package static let maximumViewerCount = 50_000
    /// The minimum time between two removals of viewers while there are too many.
    private static let removalInterval = Duration.seconds(1)

    private struct Progress {
        var latest: WallClockTime
        /// A bit for the number of each segment; two numbers that are 64 segments apart have the same.
        var segments: UInt64 = 0
        var played = Duration.zero
        /// When it was enough; `nil` before.
        var countedAt: WallClockTime?

        func isNeeded(at now: WallClockTime) -> Bool {
            // In either direction, so that a clock that was set back does not keep viewers.
            if let countedAt { return (now - countedAt).magnitude < PlaybackMeter.repeatTime }
            return (now - latest).magnitude < PlaybackMeter.idleTime
        }
    }

    private struct State {
        var viewers: [UInt64: Progress] = [:]
        var removedAt: WallClockTime?

        mutating func removeOld(at now: WallClockTime) {
            removedAt = now
            viewers = viewers.filter { $0.value.isNeeded(at: now) }
        }

        mutating func hasPlace(for key: UInt64, at now: WallClockTime) -> Bool {
            if viewers[key] != nil || viewers.count < PlaybackMeter.maximumViewerCount { return true }
            if let removedAt, (now - removedAt).magnitude < PlaybackMeter.removalInterval { return false }
            removeOld(at: now)
            return viewers.count < PlaybackMeter.maximumViewerCount
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// Notes that a viewer has fetched a segment. The same segment of several renditions counts once.
    ///
    /// - Parameters:
    ///   - key: a hash of the viewer and the title.
    ///   - segment: the number of the segment.
    ///   - duration: the playing time of the segment.
    ///   - total: the playing time of the title.
    ///   - now: the current time.
    /// - Returns: whether this segment makes it a view.
    package func saw(
        _ key: UInt64, segment: Int, duration: Duration, of total: Duration, now: WallClockTime
    ) -> Bool {
        state.withLock { state in
            guard state.hasPlace(for: key, at: now) else { return false }
            var progress = state.viewers[key] ?? Progress(latest: now)
            if !progress.isNeeded(at: now) { progress = Progress(latest: now) }
            progress.latest = now
            let bit: UInt64 = 1 << UInt64(segment & 63)
            if progress.segments & bit == 0 {
                progress.segments |= bit
                // Values of a file; nothing is longer than the time that is needed.
                progress.played += min(max(duration, .zero), Self.countedTime)
            }
            let isEnough = progress.countedAt == nil && progress.played >= min(total, Self.countedTime)
            if isEnough { progress.countedAt = now }
            state.viewers[key] = progress
            return isEnough
        }
    }

    /// Forgets the viewers that are not needed any more.
    package func removeOld(now: WallClockTime) { state.withLock { $0.removeOld(at: now) } }

    /// Number of viewers that are told apart.
    package var viewerCount: Int { state.withLock { $0.viewers.count } }
}
