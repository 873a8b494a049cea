package import MediaCore

/// Packages the lower qualities that are made of the leading track. Their units come a little later than those of the
/// track, with times of the output's timeline, and have key frames where the leading track has them: so their segments
/// begin with the same pictures.
extension LivePackager {
    /// A unit of the leading track as it was packaged.
    package struct LeadingUnit: Sendable {
        /// Times on the output's timeline, in ticks of the leading track.
        package var decodeTime: Int64
        package var presentationTime: Int64
    }

    /// Adds a quality. Its first segment is the one that the leading track builds now, or the next one.
    ///
    /// - Parameter track: the quality, in the leading track's timescale.
    package mutating func addRung(_ track: LivePackagerTrack) {
        guard track.isRung, hasBegun, !tracks.contains(where: { $0.track.rendition == track.rendition }) else { return }
        var state = trackState(track)
        state.mediaSequence = tracks[leadingIndex].mediaSequence
        state.isDiscontinuous = tracks[leadingIndex].isDiscontinuous
        state.needsKeyFrame = true
        // Pictures are shown when the source shows them, also where one comes sooner than its part allows for.
        state.segmenter.keepsPresentationTimes = true
        tracks.append(state)
    }

    /// Whether the packager has the quality.
    package func hasRung(_ rendition: RenditionID) -> Bool { rungIndex(rendition) != nil }

    private func rungIndex(_ rendition: RenditionID) -> Int? {
        tracks.firstIndex { $0.track.rendition == rendition && $0.track.isRung }
    }

    /// Adds a unit of a quality.
    ///
    /// - Parameters:
    ///   - unit: the unit, with the times that the leading track's unit has on the output's timeline.
    ///   - rendition: the quality.
    package mutating func append(_ unit: AccessUnit, toRung rendition: RenditionID) -> [LivePackagingEvent] {
        guard let index = rungIndex(rendition), hasBegun else { return [] }
        var events: [LivePackagingEvent] = []
        appendRung(unit, index: index, into: &events)
        promiseNextParts(into: &events)
        return events
    }

    private mutating func appendRung(_ unit: AccessUnit, index: Int, into events: inout [LivePackagingEvent]) {
        let clock = tracks[index].segmenter.timescale
        guard mayFollow(unit, index: index) else {
            tracks[index].needsKeyFrame = true
            return
        }
        tracks[index].needsKeyFrame = false
        let time = MediaTime(value: unit.decodeTime, timescale: clock)
        if isFilled(index) || leavesHole(index, until: time) {
            fill(index, until: time, isFollowed: true, into: &events)
        }
        announce(tracks[index].segmenter.learnDuration(until: unit.decodeTime), index: index, into: &events)
        tracks[index].isFilled = false
        tracks[index].endsFilled = false
        while let cut = tracks[index].pendingCuts.first, reach(of: time) >= cut.time {
            closeFollowing(index, into: &events)
        }
        if !tracks[index].segmenter.hasSamples { tracks[index].isSegmentSuspended = false }
        let part = tracks[index].segmenter.append(unit, at: unit.decodeTime)
        announceHeldPart(index, into: &events)
        announce(part, index: index, into: &events)
    }

    /// Whether pictures are missing before a unit. The last one would have to last longer than a part may.
    private func leavesHole(_ index: Int, until time: MediaTime) -> Bool {
        guard let next = tracks[index].segmenter.nextTime else { return leavesGap(index, until: reach(of: time)) }
        let distance = time.value - next
        return distance > Self.longestHoleInSamples * Int64(tracks[index].segmenter.predictedDuration)
    }

    /// Samples that may be missing without being filled: one that the line has lost.
    private static let longestHoleInSamples: Int64 = 2

    /// Whether a unit can be decoded behind what the quality has.
    private func mayFollow(_ unit: AccessUnit, index: Int) -> Bool {
        let state = tracks[index]
        guard !state.isSuspended, !state.needsKeyFrame || unit.isRandomAccessPoint else { return false }
        // Other parameters begin with a discontinuity.
        guard state.nextConfiguration == nil || state.pendingCuts.contains(where: \.isDiscontinuous) else {
            return false
        }
        let clock = state.segmenter.timescale
        let time = MediaTime(value: unit.decodeTime, timescale: clock)
        if state.endsFilled, let next = state.segmenter.nextTime {
            // What was filled is not shown again.
            return reach(of: time) >= MediaTime(value: next, timescale: clock)
        }
        if let latest = state.segmenter.latestTime { return time > latest }
        let leading = tracks[leadingIndex].segmenter
        let earliest = state.pendingCuts.isEmpty ? leading.segmentStart : nil
        return reach(of: time) >= (earliest.map { MediaTime(value: $0, timescale: leading.timescale) } ?? start)
    }

    /// The time by which a quality's unit belongs to a segment: units have the times of the leading track, whatever the
    /// rounding of durations has made of the segment's end.
    private func reach(of time: MediaTime) -> MediaTime {
        let leading = tracks[leadingIndex].segmenter
        return time + MediaTime(value: Int64(leading.predictedDuration) / 2, timescale: leading.timescale)
    }

    // MARK: While a quality is not made

    /// Suspends a quality: its segments are gaps, with a still picture for players that know no gaps.
    package mutating func suspendRung(_ rendition: RenditionID) {
        guard let index = rungIndex(rendition), !tracks[index].isSuspended else { return }
        tracks[index].isSuspended = true
        tracks[index].isFilled = true
    }

    /// Resumes a quality with its next key frame.
    package mutating func resumeRung(_ rendition: RenditionID) {
        guard let index = rungIndex(rendition) else { return }
        tracks[index].isSuspended = false
    }

    /// The time up to which a track is filled that sends nothing: a quality that may come back begins with a key frame
    /// of the leading track, which must not be covered.
    func fillingEnd(of index: Int, _ end: MediaTime) -> MediaTime? {
        guard tracks[index].track.isRung, !tracks[index].isSuspended else { return end }
        return newestKeyFrameTime.map { min($0, end) }
    }

    // MARK: Hints

    /// The part of a quality that certainly comes next: the leading track is further.
    func nextRungPart(_ index: Int, _ next: LivePartPosition, _ first: LivePartPosition?) -> LivePartPosition? {
        guard !tracks[index].needsKeyFrame, let end = tracks[index].segmenter.endTime else { return nil }
        if let cut = tracks[index].pendingCuts.first { return reach(of: end) >= cut.time ? first : next }
        return tracks[leadingIndex].segmenter.endTime.map { reach(of: end) < $0 } ?? false ? next : nil
    }
}
