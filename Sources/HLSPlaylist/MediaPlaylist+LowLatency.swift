extension MediaPlaylist {
    /// The first segment that still lists its parts: those before it begin more than three target durations before the
    /// playlist's end (§6.2.2). A segment that lost its parts never gets them back while the playlist grows.
    ///
    /// - Parameters:
    ///   - durations: of all segments, in seconds.
    ///   - openDuration: of the parts behind them.
    package static func firstIndexWithParts(
        ofDurations durations: [Double], openDuration: Double, targetDuration: Int
    ) -> Int {
        var distance = openDuration
        for index in durations.indices.reversed() {
            distance += durations[index]
            // Sums of durations that are no binary fractions may be off by their last bits.
            if distance > 3 * Double(targetDuration) + 1e-6 { return index + 1 }
        }
        return 0
    }

    /// For players that ask for no low latency: what only blocking reloads, parts and hints need is gone.
    package func withoutLowLatencyTags() -> MediaPlaylist {
        var playlist = self
        playlist.partTarget = nil
        playlist.openSegment = nil
        playlist.preloadHints = []
        playlist.renditionReports = []
        playlist.serverControl?.canBlockReload = false
        playlist.serverControl?.partHoldBack = nil
        for index in segments.indices where !segments[index].parts.isEmpty { playlist.segments[index].parts = [] }
        return playlist
    }
}
