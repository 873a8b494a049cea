import Codecs
package import DASHManifest
import HLSPlaylist
import ISOBMFF
package import MediaCore
import Packaging

/// The channel by DASH: the segments of its playlists, described by a manifest.
///
/// A period is a time without a discontinuity in which the same renditions have media of a publisher or of the slate.
/// Its start does not change while something of it is listed, unless the disk has lost a part of it. Segments have the
/// numbers that they have in playlists, and the one that is being made is listed as soon as it has a part: it is
/// delivered as it grows.
extension LiveWindow {
    /// The name of the manifest among the playlists.
    package static let manifestName = "manifest"
    /// The place at which players find out what time it is: a date with milliseconds (ISO/IEC 23009-1:2022 §5.8.5.7).
    package static let clock = DASHDescriptor("urn:mpeg:dash:utc:http-iso:2014", "/\(clockPath)")
    /// The path of the clock, without the slash in front.
    package static let clockPath = "live/time"

    /// Returns the manifest; addresses are relative to the channel's own path.
    ///
    /// - Parameters:
    ///   - form: whether the segment that is being made is listed.
    ///   - start: the time at which the manifest begins; `nil` for all that is listed.
    ///   - now: the present.
    package func presentation(
        _ form: LivePlaylistForm = .lowLatency, from start: WallClockTime? = nil, now: WallClockTime
    ) -> MediaPresentationDescription {
        let hasLowLatency = form != .wholeSegments && !hasEnded && growingEpoch != nil
        let periods = periods(listsOpenSegment: hasLowLatency, from: start)
        let depth = timeShiftBufferDepth(now: now)
        var live = LivePresentation(
            availabilityStart: presentationStart?.millisecondsSince1970 ?? 0, publishedAt: now.millisecondsSince1970,
            minimumUpdatePeriod: hasEnded ? nil : max(Self.minimumUpdatePeriod, configuration.partDuration),
            timeShiftBufferDepth: depth, suggestedDelay: Self.delayInSegments * configuration.segmentDuration,
            clock: Self.clock)
        if start == nil { live.patchLocation = patchLocation(form, depth: depth, now: now) }
        return MediaPresentationDescription(
            .live(live), minimumBufferTime: configuration.segmentDuration,
            maximumSegmentDuration: Double(targetDuration), latency: hasLowLatency ? targetLatency : nil,
            periods: periods)
    }

    /// The time since the first listed segment began; `nil` if nothing is ever taken away.
    private func timeShiftBufferDepth(now: WallClockTime) -> Double? {
        guard !hasEnded else { return nil }
        let milliseconds = firstDate.map { now.milliseconds(since: $0) } ?? 0
        return max(Double(milliseconds) / 1_000, configuration.segmentDuration)
    }

    /// Seconds between two requests of a manifest at least, because caches keep one for a second.
    private static let minimumUpdatePeriod = 1.0
    /// The distance from the live edge at which players without low latency play, in segments.
    private static let delayInSegments = 3.0
    /// The number of the reference from which latency counts.
    private static let referenceNumber = 0

    /// A player learns of a segment when it has a part, and at most two seconds later: the manifest may be a second old
    /// in a cache, and is asked for every second.
    private var targetLatency: TargetLatency {
        let least = configuration.partDuration + 2 * Self.minimumUpdatePeriod
        return TargetLatency(
            target: least + Self.latencyReserve, minimum: least,
            maximum: least + Self.delayInSegments * configuration.segmentDuration, rates: 0.96...1.04,
            reference: Self.referenceNumber)
    }

    /// Seconds of media that a player may have before it waits.
    private static let latencyReserve = 1.0

    /// Seconds before its end at which a segment can be requested: when its first part is complete.
    private var availabilityTimeOffset: Double { max(0, configuration.segmentDuration - configuration.partDuration) }

    // MARK: Periods

    /// A rendition while its segments are put into periods, beside those of the others.
    private struct PresentedRendition {
        let window: RenditionWindow
        let segments: [PresentedSegment]
        /// Bits per second.
        let bandwidth: Int
        let frameRate: Double?
        /// The position of the next segment.
        var position = 0
        /// The position of the origin that was looked up last, in ``RenditionWindow/origins``.
        private var originPosition = 0

        init(_ window: RenditionWindow, expectedDuration: Double?, targetDuration: Int) {
            self.window = window
            segments = window.presented(expectedDuration: expectedDuration)
            let peak = window.bitRate(targetDuration: targetDuration)?.peak ?? 1
            bandwidth = Int(Double(peak) * LiveWindow.bitRateMargin)
            frameRate = window.frameRate
        }

        var next: PresentedSegment? { position < segments.count ? segments[position] : nil }

        /// The segments of a quality for a time of the source, if it was made all the time. The last ones may be
        /// missing at the live edge, because a quality is a little later.
        func segments(alongside source: ArraySlice<PresentedSegment>, isLast: Bool) -> ArraySlice<PresentedSegment>? {
            guard let first = source.first?.header, let last = source.last?.header,
                let start = segments.firstIndex(where: { $0.header.mediaSequence == first.mediaSequence })
            else { return nil }
            let own = segments[start...].prefix { $0.header.mediaSequence <= last.mediaSequence }
            let missing = source.count - own.count
            guard let begin = own.first?.header, (0...(isLast ? LiveWindow.maximumRungLag : 0)).contains(missing),
                own.allSatisfy({
                    !$0.header.isSuspended && $0.header.epoch == begin.epoch
                        && $0.header.initializationNumber == begin.initializationNumber
                }),
                zip(own, source).allSatisfy({ $0.header.mediaSequence == $1.header.mediaSequence })
            else { return nil }
            return own
        }

        mutating func skip(before mediaSequence: Int) {
            while let next, next.header.mediaSequence < mediaSequence { position += 1 }
        }

        /// The beginning of the time to which a segment belongs; `nil` if that is not known. Segments are asked for in
        /// their order.
        mutating func origin(of header: LiveSegmentHeader) -> TimelineOrigin? {
            let origins = window.origins
            while originPosition + 1 < origins.count,
                origins[originPosition + 1].header.mediaSequence <= header.mediaSequence
            {
                originPosition += 1
            }
            guard originPosition < origins.count else { return nil }
            let origin = origins[originPosition]
            return origin.header.mediaSequence <= header.mediaSequence && origin.continues(with: header) ? origin : nil
        }
    }

    /// Segments by which a quality may be later than the source.
    private static let maximumRungLag = 2

    /// Segments with consecutive numbers, of the same renditions and without a discontinuity.
    private struct Run {
        var origin: TimelineOrigin
        var lastMediaSequence: Int
        /// The positions of the segments of each rendition; `nil` for one that has nothing in this time.
        var ranges: [Range<Int>?]
    }

    private func periods(listsOpenSegment: Bool, from start: WallClockTime?) -> [PresentationPeriod] {
        // Periods follow what was sent; the qualities of a ladder are in those that they fill.
        var presented = presented(listsOpenSegment) { !$0.id.isRung }
        let rungs = self.presented(listsOpenSegment) { $0.id.isRung && $0.id != .scoreboard }
        if let start, let first = firstMediaSequence(in: presented.first, at: start) {
            for index in presented.indices { presented[index].skip(before: first) }
        }
        var runs: [Run] = []
        while let mediaSequence = presented.compactMap({ $0.next?.header.mediaSequence }).min() {
            extend(&runs, to: mediaSequence, &presented)
        }
        return runs.indices.map { index in
            period(
                of: runs[index], presented, rungs, isLast: index == runs.count - 1, listsOpenSegment: listsOpenSegment)
        }
    }

    private func presented(
        _ listsOpenSegment: Bool, where isMeant: (RenditionWindow) -> Bool
    ) -> [PresentedRendition] {
        renditions.filter(isMeant).map { rendition in
            PresentedRendition(
                rendition,
                expectedDuration: listsOpenSegment
                    ? rendition.listed.last?.duration.seconds ?? configuration.segmentDuration : nil,
                targetDuration: targetDuration)
        }.filter { !$0.segments.isEmpty }
    }

    /// The number of the segment that is shown at a time, or of the first one in memory for a time after all.
    private func firstMediaSequence(in leading: PresentedRendition?, at start: WallClockTime) -> Int? {
        guard let leading else { return nil }
        return leading.segments.first { $0.ends(after: start) }?.header.mediaSequence
            ?? leading.window.listed.first { !$0.isGap }?.mediaSequence ?? leading.segments.last?.header.mediaSequence
    }

    /// Adds the segments with a number to the last run, or begins another one with them.
    private func extend(_ runs: inout [Run], to mediaSequence: Int, _ presented: inout [PresentedRendition]) {
        var continues = runs.last?.lastMediaSequence == mediaSequence - 1
        for index in presented.indices where continues {
            let range = runs.last?.ranges[index]
            guard let next = presented[index].next, next.header.mediaSequence == mediaSequence else {
                // The last segments of a rendition may be a little later than those of others.
                continues = range == nil || presented[index].next == nil
                continue
            }
            let previous = range.map { presented[index].segments[$0.upperBound - 1].header }
            continues =
                !next.header.isDiscontinuous && previous?.epoch == next.header.epoch
                && previous?.initializationNumber == next.header.initializationNumber
        }
        if !continues {
            guard let origin = origin(of: mediaSequence, &presented, after: runs.last?.origin) else { return }
            runs.append(
                Run(
                    origin: origin, lastMediaSequence: mediaSequence,
                    ranges: Array(repeating: nil, count: presented.count)))
        }
        let last = runs.count - 1
        runs[last].lastMediaSequence = mediaSequence
        for index in presented.indices where presented[index].next?.header.mediaSequence == mediaSequence {
            let position = presented[index].position
            runs[last].ranges[index] = (runs[last].ranges[index]?.lowerBound ?? position)..<(position + 1)
            presented[index].position += 1
        }
    }

    /// The beginning of the period in which the segments with a number are the first that are listed.
    ///
    /// - Parameter previous: that of the period before; `nil` if there is none.
    private func origin(
        of mediaSequence: Int, _ presented: inout [PresentedRendition], after previous: TimelineOrigin?
    ) -> TimelineOrigin? {
        var (known, leading): (TimelineOrigin?, PresentedSegment?) = (nil, nil)
        for index in presented.indices {
            guard let next = presented[index].next, next.header.mediaSequence == mediaSequence else { continue }
            leading = leading ?? next
            // Where its renditions have not begun together, the period begins with the last of them.
            guard let origin = presented[index].origin(of: next.header) else { continue }
            if origin.header.mediaSequence > known?.header.mediaSequence ?? -1 { known = origin }
        }
        // Where one of them has ended, no other has begun.
        if let known, known.header.mediaSequence > previous?.header.mediaSequence ?? -1 { return known }
        return leading.map { TimelineOrigin($0.header, start: $0.start) }
    }

    private func period(
        of run: Run, _ presented: [PresentedRendition], _ rungs: [PresentedRendition], isLast: Bool,
        listsOpenSegment: Bool
    ) -> PresentationPeriod {
        let date = run.origin.header.programDateTime
        let start = Double(max(0, date.milliseconds(since: presentationStart ?? date))) / 1_000
        var end: Double?
        var sets: [AdaptationSet] = []
        for (rendition, range) in zip(presented, run.ranges) {
            guard let range else { continue }
            let segments = rendition.segments[range]
            end = end ?? segments.last.map { $0.start.seconds + $0.duration }
            sets.append(
                adaptationSet(
                    of: rendition, segments, from: run.origin, isLast: isLast, isGrowing: isLast && listsOpenSegment))
            guard rendition.window.mediaType == .video else { continue }
            for rung in rungs {
                guard let segments = rung.segments(alongside: segments, isLast: isLast),
                    !isLast || offers(rung.window)
                else { continue }
                let set = adaptationSet(
                    of: rung, segments, from: run.origin, isLast: isLast, isGrowing: isLast && listsOpenSegment)
                sets.add(rung: set)
            }
        }
        return PresentationPeriod(
            id: "\(run.origin.header.epoch)-\(run.origin.header.mediaSequence)", start: start,
            duration: isLast && !hasEnded ? nil : end.map { max(0, $0 - run.origin.start.seconds) },
            adaptationSets: sets)
    }

    private func adaptationSet(
        of rendition: PresentedRendition, _ segments: ArraySlice<PresentedSegment>, from origin: TimelineOrigin,
        isLast: Bool, isGrowing: Bool
    ) -> AdaptationSet {
        let window = rendition.window
        let timescale = segments.first?.start.timescale ?? origin.start.timescale
        var timeline = SegmentTimeline()
        for segment in segments {
            timeline.append(
                start: segment.start.value, duration: MediaTime(seconds: segment.duration, timescale: timescale).value)
        }
        let header = segments.first?.header ?? origin.header
        let configuration =
            window.configuration(epoch: header.epoch, number: header.initializationNumber) ?? window.configuration
        let offset = origin.start.converted(to: timescale)
        let isVideo = window.mediaType == .video
        var representation = Representation(
            id: window.name, bandwidth: rendition.bandwidth, codecs: configuration.rfc6381,
            media: .segments(
                SegmentTemplate(
                    timescale: timescale.ticksPerSecond, presentationTimeOffset: offset.value,
                    initialization: Self.initializationURI(of: header, window),
                    media: "\(header.epoch)/\(window.name)/$Number$.m4s", startNumber: header.mediaSequence,
                    times: .timeline(timeline), availabilityTimeOffset: isGrowing ? availabilityTimeOffset : nil)))
        representation.size = configuration.videoSize
        representation.frameRate = rendition.frameRate
        representation.sampleRate = configuration.audioSampleRate
        representation.channelCount = configuration.audioChannelCount
        var set = AdaptationSet(
            isVideo ? .video : .audio, mediaType: isVideo ? "video/mp4" : "audio/mp4", roles: ["main"],
            representations: [representation])
        set.isIndependent = segments.allSatisfy(\.isIndependent)
        set.supplementalProperties = configuration.color?.dashProperties ?? []
        set.eventSchemes = [EventMessage.id3SchemeIDURI]
        set.referenceTime = ProducerReferenceTime(
            id: Self.referenceNumber, date: origin.header.programDateTime.millisecondsSince1970,
            presentationTime: offset.value, clock: Self.clock)
        // Those of the present push.
        if isVideo, isLast { set.accessibility = captionDescriptors }
        return set
    }

    /// The services of closed captions that the frames carry (SCTE 214-1 §7).
    private var captionDescriptors: [DASHDescriptor] {
        let fields = [(ClosedCaptions.cc1, "CC1"), (.cc3, "CC3")].filter { captions.contains($0.0) }.map(\.1)
        var descriptors: [DASHDescriptor] = []
        if !fields.isEmpty {
            descriptors.append(DASHDescriptor("urn:scte:dash:cc:cea-608:2015", fields.joined(separator: ";")))
        }
        if captions.contains(.service1) {
            descriptors.append(DASHDescriptor("urn:scte:dash:cc:cea-708:2015", "1=lang:und"))
        }
        return descriptors
    }
}

extension [AdaptationSet] {
    /// Adds a quality of a ladder: to the set of the source, if players can switch between the two, and else as a set.
    fileprivate mutating func add(rung: AdaptationSet) {
        func family(_ set: AdaptationSet) -> Substring? { set.representations.first?.codecs?.prefix { $0 != "." } }
        let place = firstIndex {
            $0.content == .video && family($0) == family(rung)
                && $0.supplementalProperties == rung.supplementalProperties
        }
        guard let place else { return append(rung) }
        self[place].representations += rung.representations
        self[place].isIndependent = self[place].isIndependent && rung.isIndependent
    }
}

extension PresentedSegment {
    /// Whether something of it is shown after a time.
    func ends(after time: WallClockTime) -> Bool {
        Double(time.milliseconds(since: header.programDateTime)) / 1_000 < duration
    }
}
