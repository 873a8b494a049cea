package import MediaCore
import NIOCore

extension FillerSample {
    /// Makes segments of silence or a still image for a time at which a rendition had no media, so that its playlist
    /// reaches back as far as the others', and every segment that it lists can be fetched.
    ///
    /// - Parameters:
    ///   - segments: the segments of another rendition, oldest first. Those before the last gap among them are ignored.
    ///   - header: the header of the rendition's first own segment. The new segments have the same epoch and
    ///     initialization section, so their URLs are new as well.
    ///   - timescale: the rendition's timescale.
    package func segments(
        alongside segments: [LiveSegment], before header: LiveSegmentHeader, timescale: Timescale
    ) -> [LiveSegment] {
        let first = segments.lastIndex(where: \.isGap).map { $0 + 1 } ?? 0
        var next = Int64.min
        return segments[first...].compactMap { segment in
            guard let start = segment.parts.first?.decodeTime, let last = segment.parts.last else { return nil }
            let startTime = start.converted(to: timescale).value
            // The next segment compensates for the rounding to whole samples; a hole stays a hole.
            next = abs(startTime.subtractingSaturating(next)) <= duration ? next : max(next, startTime)
            let end = (last.decodeTime + last.duration).converted(to: timescale).value
            guard let part = part(from: next, until: end, timescale: timescale) else { return nil }
            next = next.addingSaturating(part.duration.value)
            var own = segment.header
            own.initializationNumber = header.initializationNumber
            own.epoch = header.epoch
            var filled = LiveSegment(header: own, parts: [part], duration: part.duration, listsParts: false)
            filled.isBackfilled = true
            return filled
        }
    }

    /// A part of as many samples as fit best; a still image ends exactly.
    private func part(from start: Int64, until end: Int64, timescale: Timescale) -> PartialSegment? {
        let length = end.subtractingSaturating(start)
        guard length > 0 else { return nil }
        let rounding = isDivisible ? duration - 1 : duration / 2
        let count = max(1, length.addingSaturating(rounding) / duration)
        var builder = PartBuilder(timescale: timescale, allocator: ByteBufferAllocator())
        for index in 0..<min(count, Self.maximumSampleCount) {
            let time = start + index * duration
            let own = isDivisible && index == count - 1 ? end.subtractingSaturating(time) : duration
            builder.append(
                AccessUnit(decodeTime: time, presentationTime: time, isRandomAccessPoint: true, payload: payload),
                decodeTime: time, compositionOffset: 0, duration: UInt32(clamping: own))
        }
        return builder.finish(sequenceNumber: 0)
    }

    /// Limit on the samples of a segment: a minute of audio in frames of 2.5 ms.
    private static let maximumSampleCount: Int64 = 24_000
}
