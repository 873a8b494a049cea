import MediaCore
import NIOCore
import Packaging

/// The channel's behaviour while no publisher is connected.
extension LiveChannel {
    /// The previous window, for players that have its playlist.
    struct FormerWindow: Sendable {
        var window: LiveWindow
        var expiry: WallClockTime
        /// Rendered playlists of the window.
        var playlists: [LivePlaylistRequest: RenderedPlaylist] = [:]
    }

    /// Starts the timer for the loss policy. Held requests are answered when it fires, even if no other request
    /// arrives.
    func startLossTimer(_ state: inout State, on eventLoop: any EventLoop) {
        state.stopLossTimer()
        let policy = configuration.onLoss
        let delay: Duration
        switch policy.action {
        case .hold: return
        case .end: delay = policy.timeout
        case .slate: delay = Self.slateGrace
        }
        guard let lostAt = state.presence.graceBegins() else { return }
        state.lossTimer = eventLoop.scheduleTask(in: TimeAmount(delay)) { [weak self] in
            self?.lossTimerFired(lostAt: lostAt, on: eventLoop)
        }
    }

    private func lossTimerFired(lostAt: WallClockTime, on eventLoop: any EventLoop) {
        let policy = configuration.onLoss
        let waiters = withState { state in
            // The event loop's clock counts here, because the wall clock may have been set meanwhile.
            if state.presence.graceEnded(lostAt: lostAt) {
                state.lossTimer = nil
                state.endPlaylists(policy, now: lostAt + policy.timeout)
            }
            return state.takeAnsweredWaiters()
        }
        waiters.answer()
        offerSlate(on: eventLoop)
    }
}

extension LiveChannel.State {
    /// Stops the timer for the loss policy.
    mutating func stopLossTimer() {
        lossTimer?.cancel()
        lossTimer = nil
        presence.graceIsCancelled()
    }

    /// Ends the playlists if the publisher has been away for long enough.
    mutating func endPlaylists(_ policy: LossPolicy, now: WallClockTime) {
        guard policy.action == .end, let lostAt = presence.lostAt, now - lostAt >= policy.timeout,
            !window.renditions.isEmpty, !window.hasEnded
        else { return }
        window.end()
        dropPlaylists { _ in true }
        presence.waitingIsOver(at: lostAt + policy.timeout)
    }

    /// Ends the playlists of a channel that has been removed; players get everything that was published, and the end.
    mutating func endForGood(now: WallClockTime) {
        slate = nil
        presence.endForGood(now: now)
        guard !window.renditions.isEmpty, !window.hasEnded else { return }
        window.end()
        dropPlaylists { _ in true }
    }

    /// Begins a new window. Numbers and dates continue; the media of the previous window can still be fetched for as
    /// long as a player with its playlist may need it (rfc8216bis §6.2.2).
    mutating func beginWindow(codecGeneration: Int? = nil, now: WallClockTime) {
        let longest = window.listedSeconds
        if longest > 0 {
            former = LiveChannel.FormerWindow(window: window, expiry: now + .milliseconds(Int64(longest * 2_000)))
        }
        let presentationStart = window.presentationStart
        window = LiveWindow(
            configuration: packaging, archivedSeconds: window.archivedSeconds,
            codecGeneration: codecGeneration ?? window.codecGeneration)
        window.presentationStart = presentationStart
        codecs = [:]
        dropPlaylists { _ in true }
    }

    /// Drops the previous window when no player can need it any more.
    mutating func dropFormerWindow(now: WallClockTime) {
        if let former, now >= former.expiry { self.former = nil }
    }

    /// Searches the current rendition, and then the rendition of the previous window.
    func find<Found: Sendable>(_ rendition: Substring, _ find: (RenditionWindow) -> Found?) -> Found? {
        window.rendition(named: rendition).flatMap(find)
            ?? former?.window.rendition(named: rendition).flatMap(find)
    }
}
