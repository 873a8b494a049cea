extension MediaPlaylist {
    /// The `_HLS_skip` delivery directive (rfc8216bis §6.2.5.1).
    package enum SkipDirective: Sendable, Hashable {
        /// `YES`
        case segments
        /// `v2`: date ranges that a player has known for longer than CAN-SKIP-UNTIL are left out as well. Only the
        /// server's clock tells when a range was added or removed: `recentlyAdded` and `recentlyRemoved` are the IDs
        /// of ranges for which that happened within CAN-SKIP-UNTIL before the request.
        case segmentsAndDateRanges(recentlyAdded: Set<String>, recentlyRemoved: [String])
    }

    /// The playlist with EXT-X-SKIP in place of the segments that a player with this directive already has. The whole
    /// playlist if nothing may be left out, or if rfc8216bis §6.2.5.1 requires the server to ignore the directive.
    package func deltaUpdate(_ directive: SkipDirective) -> MediaPlaylist {
        guard var delta = skipping(directive, durations: segments.lazy.map(\.duration)), let skip = delta.skip else {
            return self
        }
        delta.segments.removeFirst(skip.count)
        delta.leaveOutMap(of: segments[..<skip.count])
        return delta
    }

    /// Renders ``deltaUpdate(_:)`` for a live window, from lines that were written earlier, as
    /// ``rendered(concatenating:)`` does.
    ///
    /// - Parameters:
    ///   - directive: what the player asks to leave out.
    ///   - segments: all segments of the whole playlist.
    package func renderedDeltaUpdate(
        _ directive: SkipDirective, concatenating segments: [RenderedSegment]
    ) -> [UInt8] {
        (skipping(directive, durations: segments.lazy.map(\.duration)) ?? self).rendered(concatenating: segments)
    }

    /// The playlist with EXT-X-SKIP and still with all segments; `nil` if nothing may be left out.
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

    /// Number of segments that lie entirely before the skip boundary, which is measured from the end of the last
    /// segment.
    ///
    /// Drafts before 22 measured from the playlist's end, open parts included, and skipped up to one more segment.
    /// The segments counted here may be skipped under both definitions.
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

    /// Removes EXT-X-MAP from the first remaining segments for as long as it equals the map of the skipped segments,
    /// which remains in force.
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
