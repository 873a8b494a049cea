extension MediaPlaylist {
    /// `_HLS_skip` (§6.2.5.1).
    package enum SkipDirective: Sendable, Hashable {
        /// `YES`
        case segments
        /// `v2`: date ranges that a player has had for long are left out too. When a range came and went only the
        /// server's clock tells: `recentlyAdded` and `recentlyRemoved` are the IDs of those that did within
        /// CAN-SKIP-UNTIL before the request.
        case segmentsAndDateRanges(recentlyAdded: Set<String>, recentlyRemoved: [String])
    }

    /// The playlist with EXT-X-SKIP in place of what a player that asked for the directive has already; the whole one
    /// where nothing may be left out, or where §6.2.5.1 has the directive ignored.
    package func deltaUpdate(_ directive: SkipDirective) -> MediaPlaylist {
        guard !hasEndList, skip == nil, let serverControl, let canSkipUntil = serverControl.canSkipUntil else {
            return self
        }
        let count = Self.skippedCount(ofDurations: segments.map(\.duration), canSkipUntil: canSkipUntil)
        guard count > 0 else { return self }
        var delta = self
        delta.skip = SkippedSegments(count: count)
        if serverControl.canSkipDateRanges,
            case .segmentsAndDateRanges(let recentlyAdded, let recentlyRemoved) = directive
        {
            delta.dateRanges.removeAll { !recentlyAdded.contains($0.id) }
            delta.skip?.recentlyRemovedDateRanges = recentlyRemoved
        }
        delta.segments.removeFirst(count)
        delta.leaveOutMap(of: segments[count - 1])
        delta.version = max(version, delta.requiredVersion)
        return delta
    }

    /// How many segments lie as a whole further from the end of the last segment than the skip boundary.
    ///
    /// Drafts before 22 counted from the playlist's end, open parts included, and skipped up to one segment more; what
    /// is left out here may be left out by both.
    package static func skippedCount(
        ofDurations durations: some BidirectionalCollection<Double>, canSkipUntil: Double
    ) -> Int {
        var distance = 0.0
        var keptCount = 0
        for duration in durations.reversed() {
            if distance > canSkipUntil { return durations.count - keptCount }
            distance += duration
            keptCount += 1
        }
        return 0
    }

    /// The EXT-X-MAP of the segments that were left out went with them; what needs no new one has none.
    private mutating func leaveOutMap(of last: MediaSegment) {
        func isSame(_ section: String?, _ range: ByteRange?) -> Bool {
            section == last.initializationSection && range == last.initializationByteRange
        }
        for index in segments.indices {
            guard isSame(segments[index].initializationSection, segments[index].initializationByteRange) else { return }
            segments[index].initializationSection = nil
            segments[index].initializationByteRange = nil
        }
        if let openSegment, isSame(openSegment.initializationSection, openSegment.initializationByteRange) {
            self.openSegment?.initializationSection = nil
            self.openSegment?.initializationByteRange = nil
        }
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
