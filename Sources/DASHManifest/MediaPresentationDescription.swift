/// A manifest of DASH: the description of a media presentation (MPD, ISO/IEC 23009-1:2022 §5.3.1.2).
///
/// Times without a date are seconds.
package struct MediaPresentationDescription: Sendable, Hashable {
    /// Whether all of the media is there.
    package enum Kind: Sendable, Hashable {
        /// Everything is there.
        case complete(duration: Double)
        /// More comes, or may come.
        case live(LivePresentation)
    }

    package var kind: Kind
    /// The bandwidth in @bandwidth carries the media if so much of it is buffered first.
    package var minimumBufferTime: Double
    /// No segment lasts longer.
    package var maximumSegmentDuration: Double?
    package var latency: TargetLatency?
    package var periods: [PresentationPeriod]

    package static let mediaType = "application/dash+xml"
    private static let profiles = "urn:mpeg:dash:profile:isoff-live:2011,urn:mpeg:dash:profile:cmaf:2019"

    package init(
        _ kind: Kind, minimumBufferTime: Double, maximumSegmentDuration: Double? = nil, latency: TargetLatency? = nil,
        periods: [PresentationPeriod]
    ) {
        (self.kind, self.minimumBufferTime) = (kind, minimumBufferTime)
        (self.maximumSegmentDuration, self.latency, self.periods) = (maximumSegmentDuration, latency, periods)
    }

    /// The number of elements that describe segments, which is nearly all of a long manifest.
    package var timelineElementCount: Int {
        periods.lazy.flatMap(\.adaptationSets).flatMap(\.representations).reduce(0) { count, representation in
            guard case .segments(let template) = representation.media, case .timeline(let timeline) = template.times
            else { return count }
            return count + timeline.elementCount
        }
    }

    /// The document.
    package func rendered() -> String {
        var writer = XMLWriter()
        var attributes: [XMLAttribute] = [
            .init("xmlns", "urn:mpeg:dash:schema:mpd:2011"), .init("profiles", Self.profiles),
        ]
        if periods.contains(where: { $0.adaptationSets.contains { $0.protection != nil } }) {
            attributes += ContentProtection.namespaces
        }
        switch kind {
        case .complete(let duration):
            attributes += [.init("type", "static"), .init("mediaPresentationDuration", seconds: duration)]
        case .live(let live): attributes += live.attributes
        }
        attributes.append(.init("minBufferTime", seconds: minimumBufferTime))
        if let maximumSegmentDuration {
            attributes.append(.init("maxSegmentDuration", seconds: maximumSegmentDuration))
        }
        writer.element("MPD", attributes) { writer in
            if case .live(let live) = kind { live.patchLocation?.write(into: &writer) }
            latency?.write(into: &writer)
            for period in periods { period.write(into: &writer) }
            if case .live(let live) = kind { live.clock.write("UTCTiming", into: &writer) }
        }
        return writer.text
    }
}
