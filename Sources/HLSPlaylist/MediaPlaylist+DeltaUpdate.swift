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
        guard var delta = skipping(directive, durations: segments.lazy.map(\.duration)), let skip = delta.skip else {
            return self
        }
        delta.segments.removeFirst(skip.count)
        delta.leaveOutMap(of: segments[..<skip.count])
        return delta
    }

    /// ``deltaUpdate(_:)`` for a live window, in the manner of ``rendered(concatenating:)``.
    ///
    /// - Parameter segments: all of the whole playlist's.
    package func renderedDeltaUpdate(
        _ directive: SkipDirective, concatenating segments: [RenderedSegment]
    ) -> [UInt8] {
        (skipping(directive, durations: segments.lazy.map(\.duration)) ?? self).rendered(concatenating: segments)
    }

    /// With EXT-X-SKIP, and with all segments still; `nil` where nothing may be left out.
    private func skipping(
        _ directive: SkipDirective, durations: some BidirectionalCollection<Double>
    ) -> MediaPlaylist? {
        guard !hasEndList, skip == nil, let serverControl, let canSkipUntil = serverControl.canSkipUntil else {
            return nil
        }
        let count = Self.skippedCount(ofDurations: durations, canSkipUntil: canSkipUntil)
        guard count > 0 else { return nil }
        var delta = self
        delta.skip = SkippedSegments(count: count)
        if serverControl.canSkipDateRanges,
            case .segmentsAndDateRanges(let recentlyAdded, let recentlyRemoved) = directive
        {
            delta.dateRanges.removeAll { !recentlyAdded.contains($0.id) }
            delta.skip?.recentlyRemovedDateRanges = recentlyRemoved
        }
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
    private mutating func leaveOutMap(of skipped: ArraySlice<MediaSegment>) {
        guard let map = skipped.last(where: { $0.initializationSection != nil })?.map else { return }
        for index in segments.indices where segments[index].initializationSection != nil {
            guard segments[index].map == map else { return }
            segments[index].initializationSection = nil
            segments[index].initializationByteRange = nil
        }
        if openSegment?.map == map {
            openSegment?.initializationSection = nil
            openSegment?.initializationByteRange = nil
        }
    }
}
