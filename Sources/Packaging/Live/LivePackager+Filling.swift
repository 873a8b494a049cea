package import MediaCore

/// Fills tracks for which no media arrives. A segment that is listed can be fetched, because players built on ffmpeg
/// fetch gaps as well and give up when the first one fails, and GStreamer's `hlsdemux2` asks for a gap again and again,
/// and never for what follows: silence and still images take its place. A gap remains only if there is nothing to fill
/// it with.
extension LivePackager {
    /// Removes a stand-in track that is no longer needed.
    package mutating func removeStandIn(for rendition: RenditionID) {
        // Stand-ins follow the publisher's own tracks, so no other index changes.
        tracks.removeAll { $0.track.standIn != nil && $0.track.rendition == rendition }
    }

    /// Fills the tracks that send nothing up to the leading track's time.
    mutating func fillFollowers(into events: inout [LivePackagingEvent]) {
        for index in tracks.indices where index != leadingIndex && isFilled(index) {
            let leading = tracks[leadingIndex].segmenter
            guard let latest = leading.latestTime else { return }
            let end = latest + MediaTime(value: Int64(leading.predictedDuration), timescale: leading.timescale)
            if let end = fillingEnd(of: index, end) { fill(index, until: end, into: &events) }
        }
    }

    /// Returns whether filling has already reached the time of a unit from the publisher, which is then left out.
    ///
    /// Filling keeps level with the leading track, and so does a track that has come back, so each of its units would
    /// be covered. The first unit that is near ends the filling, and the publisher's units catch up with it.
    mutating func isCovered(_ unit: AccessUnit, index: Int) -> Bool {
        guard tracks[index].endsFilled, let lead = tracks[index].segmenter.lead(over: unit) else { return false }
        if lead.seconds <= TrackSegmenter.maximumInterleaving.seconds { tracks[index].isFilled = false }
        return true
    }

    func isFilled(_ index: Int) -> Bool { tracks[index].isFilled || tracks[index].track.standIn != nil }

    /// Closes a segment that the track should have reached long ago. From then on the track is filled as the leading
    /// track advances, until its own media arrives again.
    mutating func closeLate(_ index: Int, into events: inout [LivePackagingEvent]) {
        guard let cut = tracks[index].pendingCuts.first else { return }
        if filler(for: index) != nil {
            tracks[index].isFilled = true
            fill(index, until: cut.time, into: &events)
            // Filling usually reaches the cut.
            guard tracks[index].pendingCuts.first?.time == cut.time else { return }
        }
        closeFollowing(index, into: &events)
    }

    /// Returns whether a segment that the leading track closed before a time would be a gap of this track if it had no
    /// more media. Audio arrives later than video, so a push that ends just after a key frame has no audio for its
    /// last segment.
    func leavesGap(_ index: Int, until time: MediaTime) -> Bool {
        let count = tracks[index].pendingCuts.prefix { $0.time <= time }.count
        return count > (tracks[index].segmenter.hasSamples ? 1 : 0)
    }

    /// Closes all segments that the leading track has closed.
    mutating func closeAll(_ index: Int, into events: inout [LivePackagingEvent]) {
        if isFilled(index), let last = tracks[index].pendingCuts.last {
            fill(index, until: last.time, into: &events)
        }
        while !tracks[index].pendingCuts.isEmpty { closeFollowing(index, into: &events) }
    }

    /// Fills the leading track, which sends nothing while others do: it shows a still image, and continues with its
    /// next key frame.
    ///
    /// - Parameter other: the track that continues; the segment lasts as long as its segment.
    mutating func fillLeading(as other: TrackSegmenter, _ events: inout [LivePackagingEvent]) {
        guard let filler = filler(for: leadingIndex), filler.isDivisible, let otherStart = other.segmentStart,
            let otherEnd = other.endDecodeTime, let behindLast = tracks[leadingIndex].segmenter.nextTime
        else { return }
        let clock = tracks[leadingIndex].segmenter.timescale
        let limit = MediaTime(seconds: Double(configuration.targetDuration), timescale: clock).value
        let end = MediaTime(value: otherEnd, timescale: other.timescale).converted(to: clock).value
        var next = behindLast
        if !tracks[leadingIndex].segmenter.hasSamples {
            next = max(next, MediaTime(value: otherStart, timescale: other.timescale).converted(to: clock).value)
        }
        while next < end, tracks[leadingIndex].segmenter.elapsed < limit {
            let rest = min(end - next, limit - tracks[leadingIndex].segmenter.elapsed)
            tracks[leadingIndex].needsKeyFrame = true
            append(filler, to: leadingIndex, at: next, duration: min(filler.duration, rest), into: &events)
            next = tracks[leadingIndex].segmenter.nextTime ?? end
        }
    }

    func filler(for index: Int) -> FillerSample? {
        let state = tracks[index]
        if let standIn = state.track.standIn { return standIn }
        let timescale = state.segmenter.timescale
        guard state.track.track.mediaType == .video else {
            return FillerSample(silenceFor: state.track.configuration, timescale: timescale)
        }
        let duration = MediaTime(seconds: configuration.partDuration, timescale: timescale)
        return state.keyFrame.map {
            FillerSample(keyFrame: $0, configuration: state.track.configuration, duration: duration)
        }
    }

    /// Fills a track up to a time, and closes segments on the way. A still image ends where its segment does; audio
    /// frames end as close to it as they can, as always.
    ///
    /// - Parameter isFollowed: whether a unit of that time follows, so that a still image has to end there, too.
    mutating func fill(
        _ index: Int, until time: MediaTime, isFollowed: Bool = false, into events: inout [LivePackagingEvent]
    ) {
        guard var filler = filler(for: index) else { return }
        let timescale = tracks[index].segmenter.timescale
        let end = time.converted(to: timescale).value
        let limit = MediaTime(seconds: Double(configuration.targetDuration), timescale: timescale).value
        while true {
            let next = fillingTime(of: index, filler)
            // Frames of the publisher may be in the part.
            let duration =
                filler.isDivisible
                ? max(1, min(filler.duration, tracks[index].segmenter.openPartRoom)) : filler.duration
            let isFull = tracks[index].segmenter.elapsed + duration > limit
            if let cut = tracks[index].pendingCuts.first {
                let rest = cut.time.converted(to: timescale).value - next
                if isFull || hasReachedCut(index, rest: rest, filler) {
                    closeFollowing(index, into: &events)
                    // A discontinuity may have changed the track's parameters.
                    if cut.isDiscontinuous { filler = self.filler(for: index) ?? filler }
                    continue
                }
                if filler.isDivisible, rest < duration {
                    append(filler, to: index, at: next, duration: rest, into: &events)
                    continue
                }
            }
            let reach = filler.isDivisible ? duration : duration / 2
            guard !isFull else { return }
            guard next + reach <= end else {
                if isFollowed, filler.isDivisible, end - next >= filler.duration / Self.shortestStillShare {
                    return append(filler, to: index, at: next, duration: end - next, into: &events)
                }
                announceHeldPart(index, filler, next: next, into: &events)
                return
            }
            append(filler, to: index, at: next, duration: duration, into: &events)
        }
    }

    /// The time of the next filler sample, which follows the last sample. A segment begins with the leading track's
    /// segment, which may have left something out before it; rounding errors of frames are not left out, so that times
    /// continue without a hole.
    private func fillingTime(of index: Int, _ filler: FillerSample) -> Int64 {
        let segmenter = tracks[index].segmenter
        let next = segmenter.nextTime ?? start.converted(to: segmenter.timescale).value
        let leading = tracks[leadingIndex].segmenter
        guard !segmenter.hasSamples, tracks[index].pendingCuts.isEmpty, let begin = leading.segmentStart else {
            return next
        }
        let start = MediaTime(value: begin, timescale: leading.timescale).converted(to: segmenter.timescale).value
        let rounding = filler.isDivisible ? filler.duration / Self.shortestStillShare : filler.duration
        return start - next > rounding ? start : next
    }

    /// - Parameter rest: ticks that are missing.
    private func hasReachedCut(_ index: Int, rest: Int64, _ filler: FillerSample) -> Bool {
        guard filler.isDivisible else { return rest <= filler.duration / 2 }
        let hasSamples = tracks[index].segmenter.hasSamples
        return rest <= (hasSamples ? filler.duration / Self.shortestStillShare : 0)
    }

    /// Divisor of a still image's usual duration. If less than this fraction is missing at the end of a segment, it is
    /// left out.
    private static let shortestStillShare: Int64 = 8

    private mutating func append(
        _ filler: FillerSample, to index: Int, at time: Int64, duration: Int64,
        into events: inout [LivePackagingEvent]
    ) {
        if !tracks[index].segmenter.hasSamples { tracks[index].isSegmentSuspended = tracks[index].isSuspended }
        let part = tracks[index].segmenter.fill(
            filler.payload, at: time, duration: duration, fullDuration: filler.duration)
        tracks[index].endsFilled = true
        announceHeldPart(index, into: &events)
        tracks[index].heldPart = part
    }

    // MARK: Hints

    // A playlist hints at the next part. A filled track ends its segment where the leading track does, which may happen
    // at any time, so a part of it is announced only when it is certain what follows: another part of the same segment,
    // or, together with the whole segment, the next one.

    /// Announces the held part, because the segment contains samples of the next part already.
    mutating func announceHeldPart(_ index: Int, into events: inout [LivePackagingEvent]) {
        guard var part = tracks[index].heldPart else { return }
        tracks[index].heldPart = nil
        part.isFollowed = true
        announce(part, index: index, into: &events)
    }

    /// Announces the held part if the leading track is so far in the segment that another part has to follow.
    private mutating func announceHeldPart(
        _ index: Int, _ filler: FillerSample, next: Int64, into events: inout [LivePackagingEvent]
    ) {
        let timescale = tracks[index].segmenter.timescale
        // A future cut comes after the leading track's newest unit.
        let earliestCut = tracks[index].pendingCuts.first?.time ?? tracks[leadingIndex].segmenter.latestTime
        guard let rest = earliestCut.map({ $0.converted(to: timescale).value - next }),
            !hasReachedCut(index, rest: rest, filler)
        else { return }
        announceHeldPart(index, into: &events)
    }
}
