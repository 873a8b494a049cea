import MediaCore
import Synchronization

/// Views that are not in the database yet, and who has had one during the last hour.
///
/// What does not fit within the limits is not counted.
final class ViewBuffer: Sendable {
    /// Limit of the views of the last hour that are told apart.
    static let maximumViewerCount = 50_000
    /// Limit of the videos with views that are not in the database yet.
    static let maximumVideoCount = 10_000

    struct Key: Hashable {
        var viewer: VideoView.Viewer
        /// The number of the row.
        var video: Int64
    }

    private struct State {
        var countedAt: [Key: WallClockTime] = [:]
        /// Numbers of views by the numbers of videos.
        var waiting: [Int64: Int64] = [:]

        mutating func removeOld(at now: WallClockTime) {
            countedAt = countedAt.filter { (now - $0.value).magnitude < PlaybackMeter.repeatTime }
        }
    }

    private let state = Mutex(State())

    /// Adds views, except those of viewers who had one of the same video during the last hour.
    func add(_ views: [Key], now: WallClockTime) {
        state.withLock { state in
            state.removeOld(at: now)
            for view in views where state.countedAt[view] == nil {
                guard state.countedAt.count < Self.maximumViewerCount,
                    state.waiting[view.video] != nil || state.waiting.count < Self.maximumVideoCount
                else { continue }
                state.countedAt[view] = now
                state.waiting[view.video, default: 0] += 1
            }
        }
    }

    /// Takes some of the waiting views out of the buffer.
    func take(limit: Int) -> [(video: Int64, count: Int64)] {
        state.withLock { state in
            let taken = state.waiting.prefix(limit).map { (video: $0.key, count: $0.value) }
            for (video, _) in taken { state.waiting[video] = nil }
            return taken
        }
    }

    /// Puts back what could not be written.
    func putBack(_ views: [(video: Int64, count: Int64)]) {
        state.withLock { state in
            for (video, count) in views
            where state.waiting[video] != nil || state.waiting.count < Self.maximumVideoCount {
                state.waiting[video, default: 0] += count
            }
        }
    }

    /// Number of viewers that are told apart.
    var viewerCount: Int { state.withLock { $0.countedAt.count } }
}
