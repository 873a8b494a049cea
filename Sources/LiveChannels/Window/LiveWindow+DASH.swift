import Codecs
package import DASHManifest
import HLSPlaylist
import ISOBMFF
package import MediaCore
import Packaging

/// The channel by DASH: the segments of its playlists, described by a manifest.
///
/// A period is a time without a discontinuity in which the same renditions have media. Its start does not change while
/// something of it is listed. Segments have the numbers that they have in
/// playlists, and the one that is being made is listed as soon as it has a part: it is delivered as it grows.
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
        let live = LivePresentation(
            availabilityStart: presentationStart?.millisecondsSince1970 ?? 0, publishedAt: now.millisecondsSince1970,
            minimumUpdatePeriod: hasEnded ? nil : max(Self.minimumUpdatePeriod, configuration.partDuration),
            timeShiftBufferDepth: max(listedSeconds, configuration.segmentDuration),
            suggestedDelay: Self.delayInSegments * configuration.segmentDuration, clock: Self.clock)
        return MediaPresentationDescription(
            .live(live), minimumBufferTime: configuration.segmentDuration,
            maximumSegmentDuration: Double(targetDuration), latency: hasLowLatency ? targetLatency : nil,
            periods: periods)
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

    /// The segments with one media sequence number.
    private struct Row {
        var mediaSequence: Int
        /// The segments by their renditions' indices in ``renditions``.
        var segments: [Int: PresentedSegment]

        /// Whether a segment of a rendition follows in the same period.
        func isContinued(by other: Row) -> Bool {
            guard other.mediaSequence == mediaSequence + 1, other.segments.keys == segments.keys else { return false }
            return segments.allSatisfy { index, segment in
                guard let next = other.segments[index]?.header else { return false }
                return !next.isDiscontinuous && next.epoch == segment.header.epoch
                    && next.initializationNumber == segment.header.initializationNumber
            }
        }
    }

    private func periods(listsOpenSegment: Bool, from start: WallClockTime?) -> [PresentationPeriod] {
        let offered = renditions.indices.filter { renditions[$0].hasMedia || !renditions[$0].archived.segments.isEmpty }
        var byNumber: [Int: [Int: PresentedSegment]] = [:]
        var newest: [Int: Int] = [:]
        for index in offered {
            let rendition = renditions[index]
            let expected = rendition.listed.last?.duration.seconds ?? configuration.segmentDuration
            let segments = rendition.presented(expectedDuration: listsOpenSegment ? expected : nil)
            for segment in segments {
                byNumber[segment.header.mediaSequence, default: [:]][index] = segment
                newest[index] = segment.header.mediaSequence
            }
        }
        let begin = start.map { start in
            byNumber.filter { $0.value[$0.value.keys.min() ?? 0]?.ends(after: start) ?? false }.keys.min() ?? .max
        }
        var runs: [[Row]] = []
        for mediaSequence in byNumber.keys.filter({ $0 >= begin ?? .min }).sorted() {
            let row = Row(mediaSequence: mediaSequence, segments: byNumber[mediaSequence] ?? [:])
            // The last segments of a rendition may be a little later than those of others.
            if var last = runs.last?.last {
                last.segments = last.segments.filter {
                    row.segments[$0.key] != nil || newest[$0.key] != last.mediaSequence
                }
                if last.isContinued(by: row) {
                    runs[runs.count - 1].append(row)
                    continue
                }
            }
            runs.append([row])
        }
        var periods: [PresentationPeriod] = []
        var latest: TimelineOrigin?
        for (index, rows) in runs.enumerated() {
            guard let first = rows.first, let origin = origin(of: first, after: latest) else { continue }
            latest = origin
            periods.append(
                period(of: rows, from: origin, isLast: index == runs.count - 1, listsOpenSegment: listsOpenSegment))
        }
        return periods
    }

    /// The beginning of the period that a row belongs to.
    ///
    /// - Parameter previous: that of the period before; `nil` if there is none.
    private func origin(of row: Row, after previous: TimelineOrigin?) -> TimelineOrigin? {
        guard let leading = row.segments.keys.min(), let segment = row.segments[leading] else { return nil }
        // Where its renditions have not begun together, the period begins with the last of them.
        let known = row.segments.compactMap { renditions[$0].origin(of: $1.header) }
            .max { ($0.header.mediaSequence, $1.start) < ($1.header.mediaSequence, $0.start) }
        // Where one of them has ended, no other has begun.
        if let known, known.header.mediaSequence > previous?.header.mediaSequence ?? -1 { return known }
        return TimelineOrigin(segment.header, start: segment.start)
    }

    private func period(
        of rows: [Row], from origin: TimelineOrigin, isLast: Bool, listsOpenSegment: Bool
    ) -> PresentationPeriod {
        let first = rows.first?.segments ?? [:]
        let date = origin.header.programDateTime
        let start = Double(max(0, date.milliseconds(since: presentationStart ?? date))) / 1_000
        let sets = first.keys.sorted().map { index in
            adaptationSet(
                of: renditions[index], rows.compactMap { $0.segments[index] }, from: origin,
                isGrowing: isLast && listsOpenSegment)
        }
        let leading = first.keys.min() ?? 0
        let end = rows.last?.segments[leading].map { $0.start.seconds + $0.duration }
        return PresentationPeriod(
            id: "\(origin.header.epoch)-\(origin.header.mediaSequence)", start: start,
            duration: isLast && !hasEnded ? nil : end.map { max(0, $0 - origin.start.seconds) },
            adaptationSets: sets)
    }

    private func adaptationSet(
        of rendition: RenditionWindow, _ segments: [PresentedSegment], from origin: TimelineOrigin, isGrowing: Bool
    ) -> AdaptationSet {
        let timescale = segments.first?.start.timescale ?? origin.start.timescale
        var timeline = SegmentTimeline()
        for segment in segments {
            timeline.append(
                start: segment.start.value, duration: MediaTime(seconds: segment.duration, timescale: timescale).value)
        }
        let header = segments.first?.header ?? origin.header
        let folder = "\(header.epoch)/\(rendition.name)"
        let configuration =
            rendition.configuration(epoch: header.epoch, number: header.initializationNumber)
            ?? rendition.configuration
        let offset = origin.start.converted(to: timescale)
        let isVideo = rendition.mediaType == .video
        let rate = rendition.bitRate(targetDuration: targetDuration)
        var representation = Representation(
            id: rendition.name, bandwidth: Int(Double(rate?.peak ?? 1) * Self.bitRateMargin),
            codecs: configuration.rfc6381,
            media: .segments(
                SegmentTemplate(
                    timescale: timescale.ticksPerSecond, presentationTimeOffset: offset.value,
                    initialization: Self.initializationURI(of: header, rendition),
                    media: "\(folder)/$Number$.m4s", startNumber: header.mediaSequence, times: .timeline(timeline),
                    availabilityTimeOffset: isGrowing ? availabilityTimeOffset : nil)))
        representation.size = configuration.videoSize
        representation.frameRate = isVideo ? rendition.frameRate : nil
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
        if isVideo, isGrowing { set.accessibility = captionDescriptors }
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

extension PresentedSegment {
    /// Whether something of it is shown after a time.
    func ends(after time: WallClockTime) -> Bool {
        Double(time.milliseconds(since: header.programDateTime)) / 1_000 < duration
    }
}
