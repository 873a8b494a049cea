import MediaCore
import NIOCore

/// Changes to a channel when `channels.json` is read again.
extension LiveChannel {
    /// Applies another configuration of the same name.
    ///
    /// A running push continues, with its viewers and their URLs. Titles, publishers, loss policies, slates, time shift
    /// and recording change at once. Presets apply to the next push, and durations to the next push that begins while
    /// nobody watches, because they may not change within a playlist (rfc8216bis §6.2.1).
    ///
    /// - Returns: whether anything has changed.
    @discardableResult
    func reconfigure(_ new: ChannelConfiguration) -> Bool {
        let old = exchange(new)
        let isRevived = withState { $0.presence.reopen() }
        guard old != new || isRevived else { return false }
        if old.archive != new.archive || old.title != new.title { archive?.reconfigure(new) }
        let hasArchive = archive != nil
        let changesSlate = old.onLoss.action != new.onLoss.action || !old.slateDesign.looksLike(new.slateDesign)
        let kick = withState { state -> (@Sendable (String) -> Void)? in
            state.expectsPush = new.relays.bringsPush
            state.window.archivedSeconds = hasArchive ? new.archive.windowSeconds : 0
            if old.onLoss != new.onLoss, let lossLoop = state.lossLoop { startLossTimer(&state, on: lossLoop) }
            guard changesSlate else { return nil }
            state.slate = nil
            state.slateAskedFor = nil
            return state.presence.isSlate ? state.epoch?.onKick : nil
        }
        kick?("channels.json has changed")
        if let lossLoop = withState(\.lossLoop) { lossLoop.execute { self.offerSlate(on: lossLoop) } }
        return true
    }

    /// Ends the push and, after it, the playlists, because the channel is no longer in `channels.json`.
    ///
    /// Players get everything that has been published, and then the end of the playlists. ``reconfigure(_:)`` revives
    /// the channel.
    func retire() {
        let reason = "\(name) was removed from channels.json"
        let now = clock.now()
        let (kicks, waiters) = withState { state in
            let kicks = state.close(.retired)
            if state.presence.isVacant { state.endForGood(now: now) }
            return (kicks, state.takeAnsweredWaiters())
        }
        waiters.answer()
        for onKick in kicks { onKick(reason) }
        archive?.retire(reason: reason)
    }

    /// Discards what a retired channel still has on disk.
    func discard() { archive?.discard() }

    /// The time for which a retired channel's playlists and segments can still be fetched: twice the duration of its
    /// longest playlist (rfc8216bis §6.2.2), within limits.
    var retirement: Duration {
        let seconds = withState { $0.window.listedSeconds }
        return min(Self.retention, max(Self.minimumRetirement, .milliseconds(Int64(seconds * 2_000))))
    }

    /// A player polls at least this often, and so learns that the channel has ended.
    private static let minimumRetirement = Duration.seconds(60)
}
