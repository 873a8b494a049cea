import NIOCore
import Packaging

/// What happens while nobody pushes.
extension LiveChannel {
    /// The window before the present one, for players that have its playlist.
    struct FormerWindow: Sendable {
        var window: LiveWindow
        /// Milliseconds since 1970.
        var expiry: Int64
        /// As they were last asked for.
        var playlists: [LivePlaylistRequest: RenderedPlaylist] = [:]
    }

    /// Players that are held are answered when the time has come, whether or not anybody asks then.
    func startLossTimer(_ state: inout State, on eventLoop: any EventLoop) {
        state.lossTimer?.cancel()
        state.lossTimer = nil
        let policy = configuration.onLoss
        let delay: Int64
        switch policy.action {
        case .hold: return
        case .end: delay = policy.timeoutMilliseconds
        case .slate: delay = Self.slateGraceMilliseconds
        }
        guard state.epoch == nil, !state.isClosed, let lostAt = state.lostAt else { return }
        state.lossTimer = eventLoop.scheduleTask(in: .milliseconds(delay)) { [weak self] in
            self?.lossTimerFired(lostAt: lostAt, on: eventLoop)
        }
    }

    private func lossTimerFired(lostAt: Int64, on eventLoop: any EventLoop) {
        let policy = configuration.onLoss
        let waiters = withState { state in
            // The loop's clock counts here: the wall clock may have been set meanwhile.
            if state.lostAt == lostAt {
                state.lossTimer = nil
                state.endPlaylists(policy, now: lostAt + policy.timeoutMilliseconds)
            }
            return state.takeAnsweredWaiters()
        }
        waiters.answer()
        offerSlate(on: eventLoop)
    }
}

extension LiveChannel.State {
    /// Somebody pushes again, or is about to.
    mutating func stopLossTimer() {
        lossTimer?.cancel()
        lossTimer = nil
        lostAt = nil
    }

    /// Where the publisher has been away for long enough.
    mutating func endPlaylists(_ policy: LossPolicy, now: Int64) {
        guard policy.action == .end, epoch == nil, let lostAt, now - lostAt >= policy.timeoutMilliseconds,
            !window.renditions.isEmpty, !window.hasEnded
        else { return }
        window.end()
        forgetPlaylists { _ in true }
        if phase == .interrupted { phase = .idle }
        since = lostAt + policy.timeoutMilliseconds
    }

    /// Ends the playlists of a channel that has been removed; players get all that was published, and the end.
    mutating func endForGood(now: Int64) {
        stopLossTimer()
        slate = nil
        phase = .idle
        since = now
        guard !window.renditions.isEmpty, !window.hasEnded else { return }
        window.end()
        forgetPlaylists { _ in true }
    }

    /// Numbers and dates go on; what the window held can still be fetched for as long as a player that has its playlist
    /// may need it (bis §6.2.2).
    mutating func beginWindow(codecGeneration: Int? = nil, now: Int64) {
        let longest = window.listedSeconds
        if longest > 0 {
            former = LiveChannel.FormerWindow(window: window, expiry: now + Int64(longest * 2_000))
        }
        window = LiveWindow(
            configuration: packaging, archivedSeconds: window.archivedSeconds,
            codecGeneration: codecGeneration ?? window.codecGeneration)
        codecs = [:]
        forgetPlaylists { _ in true }
    }

    /// Nothing is kept for players that have gone on since.
    mutating func dropFormerWindow(now: Int64) {
        if let former, now >= former.expiry { self.former = nil }
    }

    /// The rendition as it is now, and as it was: whichever knows what a player asks for.
    func find<Found: Sendable>(_ rendition: Substring, _ find: (RenditionWindow) -> Found?) -> Found? {
        window.rendition(named: rendition).flatMap(find)
            ?? former?.window.rendition(named: rendition).flatMap(find)
    }
}
