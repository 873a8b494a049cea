import Synchronization

/// What of a channel a viewer watches, told from the playlists that it asks for.
package enum ViewedVariant: String, Sendable, Hashable, CaseIterable {
    /// Pictures, and sound where there is any, as fMP4.
    case video
    /// Sound alone.
    case audio
    /// MPEG-TS.
    case transportStream = "ts"

    /// - Parameter name: `nil` comes of the multivariant playlist, which does not say what will be chosen of it.
    package init?(playlist name: String) {
        switch name {
        case LiveWindow.iFramesName: self = .video
        default: self.init(rawValue: name)
        }
    }
}

/// Counts a channel's viewers without cookies: whoever fetched a playlist within the last window, told apart by
/// address and agent.
package final class ViewerCounter: Sendable {
    /// When a viewer last asked for a playlist: milliseconds.
    private struct Sighting {
        var latest: Int64
        var video: Int64?
        var audio: Int64?
        var transportStream: Int64?

        mutating func note(_ variant: ViewedVariant?, now: Int64) {
            latest = now
            switch variant {
            case .video: video = now
            case .audio: audio = now
            case .transportStream: transportStream = now
            case nil: break
            }
        }

        /// Who asks for sound only hears it; who asks for it beside pictures watches.
        func variant(now: Int64) -> ViewedVariant? {
            func recent(_ time: Int64?) -> Int64? { time.flatMap { ViewerCounter.isRecent($0, now: now) ? $0 : nil } }
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
        /// When those who have gone were last looked for.
        var droppedAt: Int64?

        mutating func dropOld(now: Int64) {
            droppedAt = now
            viewers = viewers.filter { ViewerCounter.isRecent($0.value.latest, now: now) }
        }
    }

    private let state = Mutex(State())

    /// A viewer that has not asked for this long is gone: two of the longest usual target durations, and some.
    package static let windowMilliseconds: Int64 = 20_000
    /// More are not told apart; the count stops there until old ones have gone.
    package static let maximumViewerCount = 50_000
    /// Milliseconds. Looking through all of them takes milliseconds, under the lock: not for each request of a crowd, or
    /// of somebody who asks under a new name each time.
    private static let dropInterval: Int64 = 1_000

    package init() {}

    /// - Parameters:
    ///   - key: a hash of address and agent.
    ///   - variant: whose playlist it asked for; `nil` for the multivariant one.
    ///   - now: milliseconds.
    package func saw(_ key: UInt64, variant: ViewedVariant? = nil, now: Int64) {
        state.withLock { state in
            if state.viewers.count >= Self.maximumViewerCount, state.viewers[key] == nil {
                if let droppedAt = state.droppedAt, abs(now - droppedAt) < Self.dropInterval { return }
                state.dropOld(now: now)
                guard state.viewers.count < Self.maximumViewerCount else { return }
            }
            state.viewers[key, default: Sighting(latest: now)].note(variant, now: now)
        }
    }

    package func count(now: Int64) -> Int { counts(now: now).total }

    /// All viewers, and those of them that have chosen a variant, each counted for one.
    func counts(now: Int64) -> (total: Int, byVariant: ChannelStatus.VariantViewers) {
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

    /// Also where the clock was set back, rather than until it has caught up.
    private static func isRecent(_ time: Int64, now: Int64) -> Bool { abs(now - time) < windowMilliseconds }
}
