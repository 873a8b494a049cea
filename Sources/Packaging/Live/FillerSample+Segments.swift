package import MediaCore
import NIOCore

extension FillerSample {
    /// Segments for a time at which a rendition had no media, so that its playlist reaches back as far as the others'
    /// and all that it lists can be fetched.
    ///
    /// - Parameters:
    ///   - segments: another rendition's, oldest first. What lies before the last gap among them is left out.
    ///   - heading: of the rendition's first segment of its own, whose epoch and initialization section these have, too:
    ///     nobody has ever been given their URLs.
    ///   - timescale: of the rendition.
    package func segments(
        alongside segments: [LiveSegment], before heading: LiveSegmentHeading, timescale: Timescale
    ) -> [LiveSegment] {
        let first = segments.lastIndex(where: \.isGap).map { $0 + 1 } ?? 0
        var next = Int64.min
        return segments[first...].compactMap { segment in
            guard let start = segment.parts.first?.decodeTime, let last = segment.parts.last else { return nil }
            let startTime = start.converted(to: timescale).value
            // What rounding to whole samples is off is made up for by the next segment; a hole stays a hole.
            next = abs(startTime.subtractingSaturating(next)) <= duration ? next : max(next, startTime)
            let end = (last.decodeTime + last.duration).converted(to: timescale).value
            guard let part = part(from: next, until: end, timescale: timescale) else { return nil }
            next = next.addingSaturating(part.duration.value)
            var own = segment.heading
            own.initializationNumber = heading.initializationNumber
            own.epoch = heading.epoch
            var filled = LiveSegment(heading: own, parts: [part], duration: part.duration, listsParts: false)
            filled.isBackfilled = true
            return filled
        }
    }

    /// A still image is one sample; of silence there are as many as fit best.
    private func part(from start: Int64, until end: Int64, timescale: Timescale) -> PartialSegment? {
        let length = end.subtractingSaturating(start)
        guard length > 0 else { return nil }
        let count = isDivisible ? 1 : max(1, (length + duration / 2) / duration)
        let sampleDuration = isDivisible ? length : duration
        var builder = PartBuilder(timescale: timescale, allocator: ByteBufferAllocator())
        for index in 0..<min(count, Self.maximumSampleCount) {
            let time = start + index * sampleDuration
            builder.append(
                AccessUnit(decodeTime: time, presentationTime: time, isRandomAccessPoint: true, payload: payload),
                decodeTime: time, compositionOffset: 0, duration: UInt32(clamping: sampleDuration))
        }
        return builder.finish(sequenceNumber: 0)
    }

    /// Samples of a segment: a minute of 2.5 ms of audio.
    private static let maximumSampleCount: Int64 = 24_000
}
