import ISOBMFF
import MediaCore

extension PackagedRendition {
    /// The samples that are packaged.
    package var sampleIndices: Range<Int> {
        guard let first = segments.first, let last = segments.last else { return 0..<0 }
        return first.firstSample..<max(first.firstSample, last.firstSample + last.sampleCount)
    }

    /// Returns the last sync sample that is presented at or before a time; the first one if there is none.
    ///
    /// - Parameter time: The time on the title's timeline, in the track's timescale.
    package func syncSample(atOrBefore time: Int64) -> TimedSample? {
        // No sample is presented before it is decoded, so none of a later segment is.
        let mediaTime = time.addingSaturating(timeline.firstPresentedMediaTime)
        var index = segments.partitionPoint { $0.decodeTime <= mediaTime } - 1
        while index >= 0 {
            let found = samples(ofSegment: index).last { $0.isSync && $0.presentationTime <= time }
            if let found { return found }
            index -= 1
        }
        return segments.isEmpty ? nil : samples(ofSegment: 0).first
    }

    /// Returns the next sample in decoding order; `nil` after the last.
    package func sample(after sample: TimedSample) -> TimedSample? {
        let next = sample.index + 1
        guard sampleIndices.contains(next) else { return nil }
        return timed(next, decodeTime: sample.decodeTime.addingSaturating(sample.duration))
    }

    /// Returns the samples of a segment.
    ///
    /// - Parameter prefix: The largest number of samples to return.
    func samples(ofSegment index: Int, prefix: Int = .max) -> [TimedSample] {
        let plan = segments[index]
        var decodeTime = plan.decodeTime.subtractingSaturating(timeline.firstPresentedMediaTime)
        return (plan.firstSample..<plan.firstSample + min(plan.sampleCount, prefix)).map { sample in
            defer { decodeTime = decodeTime.addingSaturating(Int64(samples.durations[sample])) }
            return timed(sample, decodeTime: decodeTime)
        }
    }

    /// Returns a sample with its times.
    func timed(_ sample: Int, decodeTime: Int64) -> TimedSample {
        TimedSample(
            index: sample, decodeTime: decodeTime,
            presentationTime: decodeTime.addingSaturating(Int64(timeline.compositionOffset(of: sample, in: samples))),
            duration: Int64(samples.durations[sample]), isSync: samples.isSync(sample),
            range: FileRange(offset: samples.offsets[sample], byteCount: Int(samples.byteCounts[sample])))
    }
}

extension Array {
    /// Returns the number of elements that satisfy the predicate; the array is sorted so that these come first.
    fileprivate func partitionPoint(_ isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
