import MediaCore
import Packaging

extension ChannelConfiguration {
    /// Seconds, if nothing is known of the publisher: room for key frames every 5 s, a common default of cameras.
    static let initialTargetDuration = 6

    /// The channel's target duration in seconds for a publisher that needs `needed` seconds; `nil` if that is not
    /// known.
    func targetDuration(needed: Int?) -> Int {
        guard targetDuration == .automatic else { return packaging.targetDuration }
        return max(minimumTargetDuration, needed ?? Self.initialTargetDuration)
    }

    /// Seconds. A segment is not shorter than `segmentDuration` while there are frames for it.
    private var minimumTargetDuration: Int { Int(packaging.segmentDuration.rounded(.up)) }
}

extension KeyFrameMeter {
    /// The needed target duration in whole seconds; `nil` before it has been measured.
    var neededTargetDuration: Int? { neededDuration.map { Int($0.rounded(.up)) } }
}

extension LiveChannel.State {
    /// Restores the target duration when the server starts. A player may still be watching what the previous server
    /// showed, so the target duration stays the same until nobody can be watching.
    mutating func restoreTargetDuration(_ configuration: ChannelConfiguration, saved: ChannelState?, now: WallClockTime)
    {
        packaging.targetDuration = configuration.targetDuration(
            needed: saved?.targetDuration ?? saved?.neededTargetDuration)
        window = LiveWindow(configuration: packaging, archivedSeconds: window.archivedSeconds)
        persistent.targetDuration = packaging.targetDuration
        if saved != nil { watchedAt = now }
    }

    /// Prepares the window for a push that is about to be shown. A new window is begun if the one before has ended, or
    /// if this push needs other durations and nobody watches.
    mutating func prepareWindow(_ configuration: ChannelConfiguration, now: WallClockTime) {
        var needed = configuration.packaging
        needed.targetDuration = configuration.targetDuration(needed: persistent.neededTargetDuration)
        let moves = needed != packaging && !mayBeWatched(now: now)
        guard moves || window.hasEnded else { return }
        if moves { packaging = needed }
        persistent.targetDuration = packaging.targetDuration
        beginWindow(now: now)
    }

    /// Returns whether a player may still be watching. A player that was given a playlist plays from it for as long as
    /// the window lasts, including the part on disk.
    private func mayBeWatched(now: WallClockTime) -> Bool {
        guard let watchedAt else { return false }
        let inMemory = Duration.seconds(packaging.targetDuration * packaging.minimumSegmentCount)
        let listed = Duration.milliseconds(Int64(window.listedSeconds * 1_000))
        return now - watchedAt <= max(inMemory, listed, ViewerCounter.window)
    }

    /// Learns the target duration that the publisher needs.
    ///
    /// - Returns: whether ``persistent`` has changed.
    mutating func learn(_ keyFrames: KeyFrameMeter) -> Bool {
        guard let needed = keyFrames.neededTargetDuration, needed != persistent.neededTargetDuration else {
            return false
        }
        persistent.neededTargetDuration = needed
        return true
    }
}
