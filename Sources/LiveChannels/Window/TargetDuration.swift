import Packaging

/// Where a channel's target duration comes from.
package enum TargetDurationPolicy: Sendable, Hashable {
    /// From ``LivePackagingConfiguration/targetDuration``.
    case configured
    /// From what the channel's publisher needed last time. It moves between two publishing epochs, when nobody has
    /// watched for longer than the window: players stop where it changes.
    case automatic
}

extension ChannelConfiguration {
    /// Seconds, where nothing is known of the publisher: room for key frames every 5 s, which is what cameras come with.
    static let initialTargetDuration = 6

    /// Seconds that the channel needs for a publisher that needs `needed`; `nil` where that is not known.
    func targetDuration(needed: Int?) -> Int {
        guard targetDuration == .automatic else { return packaging.targetDuration }
        return max(minimumTargetDuration, needed ?? Self.initialTargetDuration)
    }

    /// Seconds: a segment is no shorter than `segmentDuration` while there are pictures for it.
    private var minimumTargetDuration: Int { Int(packaging.segmentDuration.rounded(.up)) }
}

extension KeyFrameMeter {
    /// Whole seconds; `nil` where nothing has been measured yet.
    var neededTargetDuration: Int? { neededDuration.map { Int($0.rounded(.up)) } }
}

extension LiveChannel.State {
    /// As it is cut when the server starts. A player may still be watching what the server before it showed: that stays
    /// as it was until nobody can be.
    mutating func restoreTargetDuration(_ configuration: ChannelConfiguration, saved: ChannelState?, now: Int64) {
        packaging.targetDuration = configuration.targetDuration(
            needed: saved?.targetDuration ?? saved?.neededTargetDuration)
        window = LiveWindow(configuration: packaging, archivedSeconds: window.archivedSeconds)
        persistent.targetDuration = packaging.targetDuration
        if saved != nil { watchedAt = now }
    }

    /// A push is shown from now on. Its window is begun anew where the one before has ended, or is cut otherwise than
    /// this push needs and nobody watches it.
    mutating func prepareWindow(_ configuration: ChannelConfiguration, now: Int64) {
        var needed = configuration.packaging
        needed.targetDuration = configuration.targetDuration(needed: persistent.neededTargetDuration)
        let moves = needed != packaging && !mayBeWatched(now: now)
        guard moves || window.hasEnded else { return }
        if moves { packaging = needed }
        persistent.targetDuration = packaging.targetDuration
        beginWindow(now: now)
    }

    /// A player that was given a playlist plays on from it for as long as the window lasts, on disk, too.
    private func mayBeWatched(now: Int64) -> Bool {
        guard let watchedAt else { return false }
        let inMemory = Int64(packaging.targetDuration) * Int64(packaging.minimumSegmentCount) * 1_000
        let listed = Int64(window.listedSeconds * 1_000)
        return now - watchedAt <= max(inMemory, listed, ViewerCounter.windowMilliseconds)
    }

    /// - Returns: whether ``persistent`` has changed.
    mutating func learn(_ keyFrames: KeyFrameMeter) -> Bool {
        guard let needed = keyFrames.neededTargetDuration, needed != persistent.neededTargetDuration else {
            return false
        }
        persistent.neededTargetDuration = needed
        return true
    }
}
