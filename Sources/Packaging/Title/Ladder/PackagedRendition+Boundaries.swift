import ISOBMFF
import MediaCore

extension PackagedRendition {
    /// The sample that a segment begins with.
    ///
    /// - Parameter index: one of `segments`.
    package func firstSample(ofSegment index: Int) -> TimedSample {
        let plan = segments[index]
        return timed(
            plan.firstSample, decodeTime: plan.decodeTime.subtractingSaturating(timeline.firstPresentedMediaTime))
    }

    /// When the last picture ends, on the title's timeline, in the track's timescale.
    package var lastPictureEnd: Int64 {
        guard let last = segments.indices.last else { return 0 }
        return samples(ofSegment: last).map { $0.presentationTime.addingSaturating($0.duration) }.max() ?? 0
    }

    /// Whether every segment can be decoded behind one of another rendition: no picture of it is presented before the
    /// one that it begins with, and so refers to a picture of the segment before (an open group of pictures).
    package var hasClosedSegments: Bool {
        segments.indices.dropFirst().allSatisfy { index in
            let start = firstSample(ofSegment: index).presentationTime
            // Leading pictures follow their key frame at once.
            return samples(ofSegment: index, prefix: Self.maximumLeadingSampleCount).allSatisfy {
                $0.presentationTime >= start
            }
        }
    }

    /// Both codecs bound reordering by a decoded picture buffer of 16.
    private static let maximumLeadingSampleCount = 32

    /// Where this rendition's samples have to be cut so that its segments begin when another one's do: at the first
    /// sync sample at or behind each of those times.
    ///
    /// - Parameter starts: rising, on the title's timeline.
    /// - Returns: `nil` where one of them has no sync sample before the next.
    static func cuts(
        of samples: SampleTable, timeline: RenditionTimeline, timescale: Timescale, at starts: [MediaTime]
    ) -> [Int]? {
        var cuts = [timeline.samples.lowerBound]
        var next = 1
        let times = starts.map { $0.converted(to: timescale).value }
        var decodeTime = timeline.firstDecodeTime.subtractingSaturating(timeline.firstPresentedMediaTime)
        var durations = samples.durations.makeIterator(from: timeline.samples.lowerBound)
        for sample in timeline.samples {
            defer { decodeTime = decodeTime.addingSaturating(Int64(durations.next() ?? 0)) }
            guard sample > timeline.samples.lowerBound, next < times.count, samples.isSync(sample) else { continue }
            let time = decodeTime.addingSaturating(Int64(timeline.compositionOffset(of: sample, in: samples)))
            guard time >= times[next] else { continue }
            if next + 1 < times.count, time >= times[next + 1] { return nil }
            cuts.append(sample)
            next += 1
        }
        return cuts.count == times.count ? cuts : nil
    }
}
