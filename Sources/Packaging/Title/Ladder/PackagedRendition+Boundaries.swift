import ISOBMFF
import MediaCore

extension PackagedRendition {
    /// The first sample of a segment.
    ///
    /// - Parameter index: An index of `segments`.
    package func firstSample(ofSegment index: Int) -> TimedSample {
        let plan = segments[index]
        return timed(
            plan.firstSample, decodeTime: plan.decodeTime.subtractingSaturating(timeline.firstPresentedMediaTime))
    }

    /// The end of the last frame on the title's timeline, in the track's timescale.
    package var lastFrameEnd: Int64 {
        guard let last = segments.indices.last else { return 0 }
        return samples(ofSegment: last).map { $0.presentationTime.addingSaturating($0.duration) }.max() ?? 0
    }

    /// True if every segment can be decoded after a segment of another rendition: none of its frames is presented
    /// before its first one and so refers to a frame of the previous segment (an open GOP).
    package var hasClosedSegments: Bool {
        segments.indices.dropFirst().allSatisfy { index in
            let start = firstSample(ofSegment: index).presentationTime
            // Leading pictures directly follow their key frame.
            return samples(ofSegment: index, prefix: Self.maximumLeadingSampleCount).allSatisfy {
                $0.presentationTime >= start
            }
        }
    }

    /// The number of samples to check: both codecs limit reordering to a decoded picture buffer of 16.
    private static let maximumLeadingSampleCount = 32

    /// Returns the samples at which this rendition must be cut so that its segments start when those of another one do:
    /// at the first sync sample at or after each of those times.
    ///
    /// - Parameter starts: Rising times on the title's timeline.
    /// - Returns: `nil` if there is no sync sample between one of them and the next.
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
