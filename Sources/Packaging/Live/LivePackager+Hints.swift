import MediaCore
import NIOCore

/// Says which parts come next (EXT-X-PRELOAD-HINT), and keeps that promise.
///
/// A player requests a part that a playlist hints at before it exists, and gets it when it is complete (rfc8216bis
/// §6.2.6). A hint is therefore a promise: a part is named only if it is certain that it comes, or if the packager can
/// see to it. What ends a segment early (a key frame, the target duration, the end of the push) must not end it before
/// such a part:
/// - a key frame that arrives exactly where the part would begin does not end the segment; the next one does. If it is
///   not foreseeable that the next one comes in time, nothing is promised.
/// - a follower takes one more of its own samples into the segment;
/// - if nothing else is possible, the part consists of one filler sample: at the end of a push, before other codec
///   parameters, and where media is missing.
extension LivePackager {
    /// Notes for each track which part comes next, after everything else that a call has brought about. Players see all
    /// of its events at once.
    mutating func promiseNextParts(into events: inout [LivePackagingEvent]) {
        for index in tracks.indices {
            let next = nextPart(index)
            guard next != tracks[index].hint else { continue }
            tracks[index].hint = next
            if let next, !tracks[index].promises.contains(next) { tracks[index].promises.append(next) }
            if next?.index == 0 { tracks[index].segmenter.mustListParts = true }
            events.append(.nextPart(tracks[index].track.rendition, next))
        }
    }

    /// Notes that a part is announced.
    mutating func keepPromise(_ index: Int) {
        let position = nextPosition(index)
        tracks[index].announcedPartCount += 1
        tracks[index].promises.removeAll { $0 == position }
        if tracks[index].hint == position { tracks[index].hint = nil }
    }

    /// Returns whether players may wait for a part of the segment that is being built of which there is nothing yet.
    func owesPart(_ index: Int) -> Bool {
        let state = tracks[index]
        guard !state.promises.isEmpty, state.segmenter.isOpenPartEmpty, state.heldPart == nil else { return false }
        return state.promises.contains(nextPosition(index))
    }

    /// Adds a filler sample if players wait for a part of which there is nothing, because the segment ends now.
    mutating func payDebt(_ index: Int, into events: inout [LivePackagingEvent]) {
        guard owesPart(index), let filler = fillerForDebt(index), let next = tracks[index].segmenter.nextTime else {
            return
        }
        let segmenter = tracks[index].segmenter
        let longest = MediaTime(seconds: Self.longestDebt.seconds, timescale: segmenter.timescale).value
        let duration =
            filler.isDivisible
            ? max(1, min(Int64(segmenter.predictedDuration) / 2, filler.duration, longest)) : filler.duration
        let part = tracks[index].segmenter.fill(
            filler.payload, at: next, duration: duration, fullDuration: filler.duration)
        announce(part, index: index, into: &events)
    }

    /// Ends the epoch with one more segment if players wait for its first part.
    mutating func payDebtsOfNextSegment(into events: inout [LivePackagingEvent]) {
        let isAwaited = tracks.contains { state in
            state.promises.contains(LivePartPosition(mediaSequence: nextMediaSequence, index: 0))
        }
        guard isAwaited, !tracks[leadingIndex].segmenter.hasSamples else { return }
        let first = LivePartPosition(mediaSequence: nextMediaSequence, index: 0)
        // All renditions have the same segments, and the leading one decides where they end.
        if !tracks[leadingIndex].promises.contains(first) { tracks[leadingIndex].promises.append(first) }
        payDebt(leadingIndex, into: &events)
    }

    /// Limit on the duration of a still image that is shown for the sake of a promise.
    private static let longestDebt = Duration.milliseconds(50)

    private func fillerForDebt(_ index: Int) -> FillerSample? {
        if let filler = filler(for: index) { return filler }
        let state = tracks[index]
        let timescale = state.segmenter.timescale
        guard state.track.track.mediaType == .audio else {
            // No segment is complete yet.
            return state.segmenter.newestKeyFrame.map { keyFrame in
                FillerSample(
                    keyFrame: keyFrame, configuration: state.track.configuration,
                    duration: MediaTime(seconds: configuration.partDuration, timescale: timescale))
            }
        }
        // The silence of some codecs is not known.
        return state.segmenter.newestSample.map {
            FillerSample(payload: .frame($0.bytes), duration: max(1, $0.duration), isDivisible: false)
        }
    }

    private func nextPosition(_ index: Int) -> LivePartPosition {
        LivePartPosition(mediaSequence: tracks[index].mediaSequence, index: tracks[index].announcedPartCount)
    }

    // MARK: Foresight

    /// The part that certainly comes next, or that the packager can see to; `nil` if it is not known.
    private func nextPart(_ index: Int) -> LivePartPosition? {
        let state = tracks[index]
        let segmenter = state.segmenter
        let next = nextPosition(index)
        // Before the first sample, nobody knows when it comes.
        guard segmenter.nextTime != nil else { return nil }
        guard segmenter.hasSamples else { return segmenter.expectsParts ? next : nil }
        guard segmenter.listsParts else { return nil }
        // There are samples of it, or it is complete and held back.
        if !segmenter.isOpenPartEmpty || state.heldPart != nil { return next }
        // A part of a filled track is announced when it is certain that another one follows.
        if isFilled(index) { return next }
        let first = segmenter.expectsParts ? LivePartPosition(mediaSequence: next.mediaSequence + 1, index: 0) : nil
        if state.track.isRung { return nextRungPart(index, next, first) }
        return index == leadingIndex ? nextLeadingPart(next, first) : nextFollowingPart(index, next, first)
    }

    /// - Parameters:
    ///   - next: the next part of the segment that is being built, of which there is nothing.
    ///   - first: the first part of the segment after it; `nil` if that will have no parts.
    private func nextLeadingPart(_ next: LivePartPosition, _ first: LivePartPosition?) -> LivePartPosition? {
        let state = tracks[leadingIndex]
        let segmenter = state.segmenter
        let elapsed = segmenter.elapsed
        let sample = Int64(segmenter.predictedDuration)
        func ticks(_ seconds: Double) -> Int64 { MediaTime(seconds: seconds, timescale: segmenter.timescale).value }
        let limit = ticks(Double(configuration.targetDuration) + keyFrames.grace)
        // The next unit ends the segment, whatever it is.
        if elapsed + sample > limit { return first }
        let mayEnd = elapsed + sample / 2 >= ticks(configuration.segmentDuration)
        if mayEnd, state.track.track.mediaType == .audio || hasUsualDuration(leadingIndex) { return first }
        // A key frame at its usual distance ends the segment exactly here.
        if mayEnd, let keyFrame = keyFrames.nextKeyFrame, let nextTime = segmenter.nextTime,
            abs(keyFrame - nextTime) <= sample / 2
        {
            return first
        }
        // A unit that is a little late must not come too late.
        if elapsed + 2 * sample > limit { return nil }
        if !mayEnd { return next }
        // A key frame that came now would not end the segment, so the one after it has to.
        guard let distance = keyFrames.longestDistance, elapsed + ticks(distance) + 2 * sample <= limit else {
            return nil
        }
        return next
    }

    private func nextFollowingPart(
        _ index: Int, _ next: LivePartPosition, _ first: LivePartPosition?
    ) -> LivePartPosition? {
        let segmenter = tracks[index].segmenter
        guard let end = segmenter.endDecodeTime else { return nil }
        let middle = MediaTime(
            value: end + Int64(segmenter.predictedDuration) / 2, timescale: segmenter.timescale)
        if let cut = tracks[index].pendingCuts.first { return middle >= cut.time ? first : next }
        // The leading track is further, and has not ended the segment.
        if let leadingEnd = tracks[leadingIndex].segmenter.endTime, middle < leadingEnd { return next }
        return hasUsualDuration(index) && hasReached(configuration.segmentDuration, index: index) ? first : next
    }

    /// Returns whether the segment that is being built is as long as the one before it, so that it is expected to end.
    private func hasUsualDuration(_ index: Int) -> Bool {
        guard let usual = tracks[index].latestDuration else { return false }
        let segmenter = tracks[index].segmenter
        return abs(segmenter.elapsed - usual) <= Int64(segmenter.predictedDuration) / 2
    }
}
