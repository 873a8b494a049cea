package import Codecs
import ISOBMFF
package import MediaCore
package import NIOCore

/// Cuts a publishing epoch's tracks into aligned segments.
///
/// The leading track, which is video if there is any, decides where segments end; the others follow as soon as their
/// own time reaches that point. Wall-clock time is derived from the epoch's start; no clock is read here.
///
/// Missing media is filled; see `LivePackager+Filling.swift`.
package struct LivePackager {
    let configuration: LivePackagingConfiguration
    private let epoch: String
    var tracks: [TrackState]
    /// The index of the leading track, which is one of the publisher's own.
    let leadingIndex: Int
    /// The start of the epoch's media on the output's timeline.
    let start: MediaTime
    private var mediaSequence: Int
    private var isNextDiscontinuous: Bool
    /// Measurements of the leading track's key frames.
    package private(set) var keyFrames: KeyFrameMeter
    /// The time at media time zero of the output; `nil` before the first unit.
    private var wallClockAtZero: WallClockTime?
    /// The unit of the leading track that the last call has packaged; `nil` if it has left the unit out.
    package private(set) var leadingUnit: LeadingUnit?
    /// The time of the leading track's newest key frame.
    private(set) var newestKeyFrameTime: MediaTime?
    private let allocator: ByteBufferAllocator

    struct TrackState {
        var track: LivePackagerTrack
        var segmenter: TrackSegmenter
        var initializationNumber = 0
        /// Media sequence number of the segment that is being built.
        var mediaSequence: Int
        var isDiscontinuous: Bool
        /// Cuts that the leading track has made and this track has not reached yet, oldest first.
        var pendingCuts: [Cut] = []
        /// Parameters that apply from the next discontinuity on.
        var nextConfiguration: CodecConfiguration?
        /// The newest key frame of a finished segment; `nil` for audio.
        var keyFrame: ByteBuffer?
        /// True if the publisher has stopped sending the track, which is filled until its media arrives again.
        var isFilled = false
        /// True while a quality is not made; see ``LivePackager/suspendRung(_:)``.
        var isSuspended = false
        /// True if the segment that is being built has nothing but stills, because the quality was not made.
        var isSegmentSuspended = false
        /// True if the newest sample is a filler sample.
        var endsFilled = false
        /// A complete part of filler samples, held back until it is known whether the segment ends with it.
        var heldPart: PartialSegment?
        /// True if decoding can continue only at a key frame.
        var needsKeyFrame = false
        /// The number of parts of the segment that is being built that are announced.
        var announcedPartCount = 0
        /// The part that playlists hint at now; `nil` for none.
        var hint: LivePartPosition?
        /// The parts that playlists have hinted at and that are not there yet.
        var promises: [LivePartPosition] = []
        /// The duration of the segment that was closed last, in ticks.
        var latestDuration: Int64?

        /// True if new parameters wait and no discontinuity is pending; one discontinuity is enough, even if the track
        /// has not reached it yet.
        var needsDiscontinuity: Bool { nextConfiguration != nil && !pendingCuts.contains(where: \.isDiscontinuous) }
    }

    struct Cut {
        var time: MediaTime
        var isDiscontinuous: Bool
        var duration: MediaTime
        var programDateTime: WallClockTime
    }

    /// Seconds that a follower waits for the leading track's cut beyond the target duration; EXTINF still rounds to the
    /// target duration.
    static let followerGrace = 0.4
    /// Seconds by which a segment may be longer for the sake of a part that was hinted at.
    static let promiseGrace = 0.1
    /// Limit on pending cuts. A follower that is later than this has nothing for the segments, which become gaps or are
    /// filled.
    static let maximumPendingCutCount = 2

    /// - Parameters:
    ///   - configuration: how segments are made.
    ///   - tracks: at most one for each rendition; at least one of the publisher's own, followed by the stand-ins.
    ///   - epoch: an identifier that is unique among the channel's epochs.
    ///   - firstMediaSequence: the media sequence number of the first segment.
    ///   - isDiscontinuous: whether the first segment follows another epoch's.
    ///   - start: the start of the media, which is the end of the epoch before; `nil` for a channel's first epoch.
    ///     Players that ignore discontinuities, such as ffmpeg's and mpv, would stall for as long as times go back.
    ///   - allocator: allocates the buffers of media.
    package init(
        configuration: LivePackagingConfiguration, tracks: [LivePackagerTrack], epoch: String,
        firstMediaSequence: Int, isDiscontinuous: Bool, start: MediaTime? = nil, allocator: ByteBufferAllocator
    ) {
        precondition(tracks.first.map { $0.standIn == nil } ?? false, "a packager has a track of the publisher's")
        self.start = start ?? LivePackager.defaultStart
        self.configuration = configuration
        self.epoch = epoch
        self.allocator = allocator
        self.tracks = []
        leadingIndex = tracks.firstIndex { $0.track.mediaType == .video && $0.standIn == nil } ?? 0
        mediaSequence = firstMediaSequence
        isNextDiscontinuous = isDiscontinuous
        keyFrames = KeyFrameMeter(
            timescale: tracks[leadingIndex].track.timescale, segmentDuration: configuration.segmentDuration)
        self.tracks = tracks.map(trackState)
    }

    func trackState(_ track: LivePackagerTrack) -> TrackState {
        TrackState(
            track: track,
            segmenter: TrackSegmenter(
                timescale: track.track.timescale,
                bounds: PartBounds(
                    partDuration: configuration.partDuration, timescale: track.track.timescale,
                    allowsStretching: track.track.mediaType == .video),
                nominalSampleDuration: Self.nominalSampleDuration(track), allocator: allocator),
            mediaSequence: mediaSequence, isDiscontinuous: isNextDiscontinuous)
    }

    /// Whether the leading track has begun.
    var hasBegun: Bool { wallClockAtZero != nil }

    /// The start of a channel's first epoch.
    package static let defaultStart = MediaTime(
        seconds: TrackSegmenter.startOffset.seconds, timescale: .video90kHz)

    /// The media sequence number of the next segment to finish.
    package var nextMediaSequence: Int { mediaSequence }
    package var absorbedJumpCount: Int { tracks.reduce(0) { $0 + $1.segmenter.absorbedJumpCount } }

    private static func nominalSampleDuration(_ track: LivePackagerTrack) -> UInt32 {
        let rate = track.track.timescale.ticksPerSecond
        if let samples = track.configuration.audioSamplesPerFrame, let sampleRate = track.configuration.audioSampleRate
        {
            return UInt32(clamping: UInt64(samples) * UInt64(rate) / UInt64(max(1, sampleRate)))
        }
        let frameRate = track.configuration.nominalFrameRate ?? 30
        return UInt32(clamping: Int64(Double(rate) / max(1, frameRate)))
    }

    /// The epoch's current initialization section for a rendition; `nil` if there is no such track.
    package func initializationSection(for rendition: RenditionID) -> ByteBuffer? {
        guard let state = tracks.first(where: { $0.track.rendition == rendition }) else { return nil }
        return MediaInitializationSection(track: state.track.track, configuration: state.track.configuration).rendered()
    }

    /// The number of the current initialization section for a rendition.
    package func initializationNumber(for rendition: RenditionID) -> Int {
        tracks.first { $0.track.rendition == rendition }?.initializationNumber ?? 0
    }

    /// Sets new codec parameters, which apply from the track's next random access point on, after a discontinuity in
    /// all renditions.
    package mutating func change(_ configuration: CodecConfiguration, of rendition: RenditionID) {
        guard let index = tracks.firstIndex(where: { $0.track.rendition == rendition }) else { return }
        guard tracks[index].track.configuration != configuration else {
            // The parameters changed back before anything was cut.
            tracks[index].nextConfiguration = nil
            return
        }
        guard wallClockAtZero != nil else {
            // Nothing has been written with the old parameters, which came from an outdated SDP.
            tracks[index].track.configuration = configuration
            tracks[index].initializationNumber += 1
            return
        }
        tracks[index].nextConfiguration = configuration
    }

    /// Adds a unit from the publisher.
    ///
    /// - Parameters:
    ///   - unit: the unit.
    ///   - rendition: what its track becomes.
    ///   - now: the time at which the unit arrived.
    package mutating func append(
        _ unit: AccessUnit, to rendition: RenditionID, now: WallClockTime
    ) -> [LivePackagingEvent] {
        guard let index = tracks.firstIndex(where: { $0.track.rendition == rendition }),
            tracks[index].track.standIn == nil
        else { return [] }
        var events = index == leadingIndex ? appendLeading(unit, now: now) : appendFollowing(unit, index: index)
        if index == leadingIndex { fillFollowers(into: &events) }
        promiseNextParts(into: &events)
        return events
    }

    /// Ends the epoch. What is being built becomes the last, perhaps short, segment of every rendition.
    package mutating func finish() -> [LivePackagingEvent] {
        var events: [LivePackagingEvent] = []
        cutWithoutKeyFrame(into: &events)
        payDebtsOfNextSegment(into: &events)
        if tracks[leadingIndex].segmenter.hasSamples { cutLeading(isNextDiscontinuous: false, into: &events) }
        for index in tracks.indices where index != leadingIndex {
            if let last = tracks[index].pendingCuts.last, leavesGap(index, until: last.time) {
                tracks[index].isFilled = true
            }
            closeAll(index, into: &events)
        }
        return events
    }

    /// Inserts an event in front of each rendition's next part; its time is the start of the leading track's part.
    package mutating func insert(_ event: TimedEvent) {
        let time = tracks[leadingIndex].segmenter.nextPartTime
        for index in tracks.indices { tracks[index].segmenter.insert(event, at: time) }
    }

    // MARK: The leading track

    private mutating func appendLeading(_ unit: AccessUnit, now: WallClockTime) -> [LivePackagingEvent] {
        var events: [LivePackagingEvent] = []
        let hasStarted = wallClockAtZero != nil
        leadingUnit = nil
        guard hasStarted && !tracks[leadingIndex].needsKeyFrame || unit.isRandomAccessPoint else { return [] }
        tracks[leadingIndex].needsKeyFrame = false
        if !hasStarted { begin(at: unit) }
        let others = tracks.indices.filter { $0 != leadingIndex }
        let decodeTime = tracks[leadingIndex].segmenter.outputDecodeTime(
            of: unit, companion: others.compactMap { tracks[$0].segmenter.latestTime }.max())
        let mediaTime = MediaTime(value: decodeTime, timescale: tracks[leadingIndex].segmenter.timescale)
        if !hasStarted { wallClockAtZero = now - mediaTime }
        learnDuration(until: decodeTime, index: leadingIndex, into: &events)
        let changes = tracks.contains(where: \.needsDiscontinuity)
        keyFrames.note(
            decodeTime, isKeyFrame: unit.isRandomAccessPoint,
            sampleDuration: Int64(tracks[leadingIndex].segmenter.predictedDuration), isDiscontinuous: changes)
        if tracks[leadingIndex].segmenter.hasSamples {
            let isTooLong = wouldExceedTargetDuration(leadingIndex, grace: keyFrames.grace)
            let owesPart = owesPart(leadingIndex)
            if unit.isRandomAccessPoint, changes || hasReached(configuration.segmentDuration, index: leadingIndex),
                changes || isTooLong || !owesPart
            {
                cutLeading(isNextDiscontinuous: changes, into: &events)
            } else if isTooLong,
                !owesPart || wouldExceedTargetDuration(leadingIndex, grace: keyFrames.grace + Self.promiseGrace)
            {
                keyFrames.noteCutShort()
                events.append(.keyFramesTooFarApart)
                cutLeading(isNextDiscontinuous: false, into: &events)
            }
        }
        let followsDiscontinuity = tracks[leadingIndex].isDiscontinuous && !tracks[leadingIndex].segmenter.hasSamples
        let part = tracks[leadingIndex].segmenter.append(
            followsDiscontinuity ? unit.withParameterSets(of: tracks[leadingIndex].track.configuration) : unit,
            at: decodeTime)
        announce(part, index: leadingIndex, into: &events)
        leadingUnit = LeadingUnit(
            decodeTime: decodeTime,
            presentationTime: decodeTime.addingSaturating(
                unit.presentationTime.subtractingSaturating(unit.decodeTime)))
        if unit.isRandomAccessPoint { newestKeyFrameTime = mediaTime }
        return events
    }

    private mutating func begin(at unit: AccessUnit) {
        let timestamp = MediaTime(value: unit.decodeTime, timescale: tracks[leadingIndex].segmenter.timescale)
        for index in tracks.indices { tracks[index].segmenter.begin(timestamp, at: start) }
    }

    /// Returns whether a track's segment has reached a duration. Half a sample less is sufficient, because cadences do
    /// not divide seconds evenly.
    func hasReached(_ seconds: Double, index: Int) -> Bool {
        let segmenter = tracks[index].segmenter
        let limit = MediaTime(seconds: seconds, timescale: segmenter.timescale).value
        return segmenter.elapsed + Int64(segmenter.predictedDuration) / 2 >= limit
    }

    private func wouldExceedTargetDuration(_ index: Int, grace: Double) -> Bool {
        let segmenter = tracks[index].segmenter
        let seconds = Double(configuration.targetDuration) + grace
        let limit = MediaTime(seconds: seconds, timescale: segmenter.timescale).value
        return segmenter.elapsed + Int64(segmenter.predictedDuration) > limit
    }

    private mutating func cutLeading(isNextDiscontinuous: Bool, into events: inout [LivePackagingEvent]) {
        let timescale = tracks[leadingIndex].segmenter.timescale
        guard let end = tracks[leadingIndex].segmenter.endDecodeTime,
            let start = tracks[leadingIndex].segmenter.segmentStart
        else { return }
        let cut = Cut(
            time: MediaTime(value: end, timescale: timescale), isDiscontinuous: isNextDiscontinuous,
            duration: MediaTime(value: end - start, timescale: timescale),
            programDateTime: programDateTime(at: MediaTime(value: start, timescale: timescale)))
        cutAll(cut, into: &events)
    }

    private mutating func cutAll(_ cut: Cut, into events: inout [LivePackagingEvent]) {
        close(leadingIndex, cut: cut, into: &events)
        mediaSequence += 1
        for index in tracks.indices where index != leadingIndex {
            tracks[index].pendingCuts.append(cut)
            while tracks[index].pendingCuts.count > Self.maximumPendingCutCount { closeLate(index, into: &events) }
        }
    }

    /// Ends the segment at the current position of all tracks; it is a gap of the leading track if that has no samples.
    private mutating func cutWithoutKeyFrame(into events: inout [LivePackagingEvent]) {
        if !tracks[leadingIndex].segmenter.hasSamples,
            let other = tracks.map(\.segmenter).first(where: \.hasSamples)
        {
            fillLeading(as: other, &events)
        }
        guard !tracks[leadingIndex].segmenter.hasSamples else {
            cutLeading(isNextDiscontinuous: false, into: &events)
            return
        }
        guard let other = tracks.map(\.segmenter).first(where: \.hasSamples), let end = other.endDecodeTime,
            let start = other.segmentStart
        else { return }
        let timescale = other.timescale
        cutAll(
            Cut(
                time: MediaTime(value: end, timescale: timescale), isDiscontinuous: false,
                duration: MediaTime(value: other.elapsed, timescale: timescale),
                programDateTime: programDateTime(at: MediaTime(value: start, timescale: timescale))),
            into: &events)
    }

    // MARK: The others

    private mutating func appendFollowing(_ unit: AccessUnit, index: Int) -> [LivePackagingEvent] {
        // Media before the leading track's first frame cannot be shown with anything.
        guard wallClockAtZero != nil, !isCovered(unit, index: index) else { return [] }
        tracks[index].isFilled = false
        tracks[index].endsFilled = false
        var events: [LivePackagingEvent] = []
        let decodeTime = tracks[index].segmenter.outputDecodeTime(
            of: unit, companion: tracks[leadingIndex].segmenter.latestTime)
        // The epoch before lasts until there.
        guard decodeTime >= start.converted(to: tracks[index].segmenter.timescale).value else { return [] }
        let half = Int64(tracks[index].segmenter.predictedDuration) / 2
        let timescale = tracks[index].segmenter.timescale
        let middle = MediaTime(value: decodeTime + half, timescale: timescale)
        learnDuration(until: decodeTime, index: index, into: &events)
        if leavesGap(index, until: middle) {
            fill(index, until: MediaTime(value: decodeTime, timescale: timescale), into: &events)
            tracks[index].endsFilled = false
        }
        while let cut = tracks[index].pendingCuts.first, middle >= cut.time,
            !completesOwedPart(index, at: decodeTime)
        {
            closeFollowing(index, into: &events)
        }
        if tracks[index].segmenter.hasSamples, wouldExceedTargetDuration(index, grace: Self.followerGrace) {
            // The leading track has stopped, and this one would never be cut again.
            fillLeading(as: tracks[index].segmenter, &events)
            cutWithoutKeyFrame(into: &events)
            closeAll(index, into: &events)
        }
        let part = tracks[index].segmenter.append(unit, at: decodeTime)
        announceHeldPart(index, into: &events)
        announce(part, index: index, into: &events)
        return events
    }

    /// Returns whether a unit follows the samples so far, and becomes a part that players wait for, although it is
    /// nearer to the next segment.
    private func completesOwedPart(_ index: Int, at decodeTime: Int64) -> Bool {
        let segmenter = tracks[index].segmenter
        guard owesPart(index), segmenter.hasSamples, tracks[index].nextConfiguration == nil,
            let end = segmenter.nextTime
        else { return false }
        return decodeTime - end < Int64(segmenter.predictedDuration)
    }

    mutating func closeFollowing(_ index: Int, into events: inout [LivePackagingEvent]) {
        guard !tracks[index].pendingCuts.isEmpty else { return }
        let cut = tracks[index].pendingCuts.removeFirst()
        close(index, cut: cut, into: &events)
    }

    // MARK: Both

    private mutating func learnDuration(until decodeTime: Int64, index: Int, into events: inout [LivePackagingEvent]) {
        let part = tracks[index].segmenter.learnDuration(until: decodeTime)
        announce(part, index: index, into: &events)
    }

    mutating func announce(_ part: PartialSegment?, index: Int, into events: inout [LivePackagingEvent]) {
        guard let part else { return }
        announceHeldPart(index, into: &events)
        guard tracks[index].segmenter.listsParts, let start = tracks[index].segmenter.segmentStart else { return }
        let time = MediaTime(value: start, timescale: tracks[index].segmenter.timescale)
        let header = header(index, programDateTime: programDateTime(at: time))
        keepPromise(index)
        events.append(.part(tracks[index].track.rendition, part, of: header))
    }

    /// The header of the track's current segment.
    private func header(_ index: Int, programDateTime: WallClockTime) -> LiveSegmentHeader {
        LiveSegmentHeader(
            mediaSequence: tracks[index].mediaSequence, programDateTime: programDateTime,
            isDiscontinuous: tracks[index].isDiscontinuous,
            initializationNumber: tracks[index].initializationNumber, epoch: epoch,
            isSuspended: tracks[index].isSegmentSuspended)
    }

    /// Closes the track's segment at `cut`; it is a gap if it has no sample.
    private mutating func close(_ index: Int, cut: Cut, into events: inout [LivePackagingEvent]) {
        payDebt(index, into: &events)
        let rendition = tracks[index].track.rendition
        let start = tracks[index].segmenter.segmentStart
        let timescale = tracks[index].segmenter.timescale
        let header = header(
            index,
            programDateTime: start.map { programDateTime(at: MediaTime(value: $0, timescale: timescale)) }
                ?? cut.programDateTime)
        let closed = tracks[index].segmenter.closeSegment()
        let lastParts = [tracks[index].heldPart, closed?.lastPart].compactMap(\.self)
        tracks[index].heldPart = nil
        if closed?.listsParts == true {
            for part in lastParts {
                keepPromise(index)
                events.append(.part(rendition, part, of: header))
            }
        }
        events.append(
            .segment(
                rendition,
                LiveSegment(
                    header: header, parts: closed?.parts ?? [], duration: closed?.duration ?? cut.duration,
                    listsParts: closed?.listsParts ?? false)))
        if rendition.mediaType == .video, let keyFrame = closed?.parts.last(where: \.isIndependent)?.keyFrame {
            tracks[index].keyFrame = keyFrame
        }
        tracks[index].mediaSequence += 1
        tracks[index].isSegmentSuspended = false
        tracks[index].announcedPartCount = 0
        tracks[index].latestDuration = closed?.duration.value
        // What could not be kept is kept by nobody.
        let mediaSequence = tracks[index].mediaSequence
        tracks[index].promises.removeAll { $0.mediaSequence < mediaSequence }
        tracks[index].isDiscontinuous = cut.isDiscontinuous
        if let next = tracks[index].nextConfiguration, cut.isDiscontinuous {
            tracks[index].track.configuration = next
            tracks[index].nextConfiguration = nil
            tracks[index].initializationNumber += 1
            tracks[index].keyFrame = nil
        }
    }

    private func programDateTime(at time: MediaTime) -> WallClockTime {
        (wallClockAtZero ?? .unixEpoch) + time
    }
}
