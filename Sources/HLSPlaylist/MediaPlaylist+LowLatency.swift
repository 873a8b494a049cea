extension MediaPlaylist {
    /// Index of the first segment that still lists its parts. Earlier segments begin more than three target durations
    /// before the playlist's end (rfc8216bis §6.2.2). A segment that has lost its parts never gets them back while
    /// the playlist grows.
    ///
    /// - Parameters:
    ///   - durations: durations of all segments, in seconds.
    ///   - openDuration: duration of the parts after the last segment, in seconds.
    ///   - targetDuration: the playlist's target duration, in seconds.
    package static func firstIndexWithParts(
        ofDurations durations: [Double], openDuration: Double, targetDuration: Int
    ) -> Int {
        var distance = openDuration
        for index in durations.indices.reversed() {
            distance += durations[index]
            // The sum of durations that are not binary fractions may be off in its last bits.
            if distance > 3 * Double(targetDuration) + 1e-6 { return index + 1 }
        }
        return 0
    }

    /// The playlist for players that do not request low latency: without parts, hints, rendition reports and blocking
    /// reloads.
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
