import MediaCore
import NIOCore

/// Foretells when the next part of a push can be finished, from the parts of the segments before.
///
/// A viewer with low latency waits for a part, and nothing that arrives in the middle of one is of use to it. So the
/// publisher's packets have to be handled as they arrive only when a part can be finished. Encoders that space their key
/// frames evenly make parts evenly, except for the last one of each segment, which is shorter. Where the parts come
/// unevenly, nothing is foretold.
struct PartRhythm: Sendable {
    /// Segments whose parts are compared.
    static let segmentCount = 3
    /// Limit of the parts of a segment that are remembered: half a minute of the usual ones.
    static let maximumPartCount = 64
    /// Time before the earliest end of a part from which packets are handled as they arrive, where parts come exactly as those
    /// before. The jitter is added to it.
    static let margin = Duration.milliseconds(6)
    static let maximumMargin = Duration.milliseconds(60)

    private struct Track {
        var mediaSequence = 0
        /// The part of the segment that is being built.
        var index = 0
        var lastEnd: NIODeadline?
        /// The times between the end of the part before and the end of this one, by the part's index, newest last.
        var intervals: [[TimeAmount]] = []

        /// The time from the end of the part before during which a part is not finished, presumably; `nil` if not all segments
        /// had such a part.
        func rest(_ index: Int) -> TimeAmount? {
            guard index < intervals.count, intervals[index].count == PartRhythm.segmentCount,
                let shortest = intervals[index].min(), let longest = intervals[index].max()
            else { return nil }
            let margin = TimeAmount(PartRhythm.margin) + (longest - shortest)
            return shortest - min(margin, TimeAmount(PartRhythm.maximumMargin))
        }

        /// The end of the rest of the part that is being built, or of the first one of the next segment, if the segment is over;
        /// `nil` if unknown.
        var restEnd: NIODeadline? {
            guard let lastEnd, let rest = rest(index) ?? rest(0) else { return nil }
            return lastEnd + rest
        }

        mutating func finish(_ sequence: Int, now: NIODeadline) {
            if sequence != mediaSequence { (mediaSequence, index) = (sequence, 0) }
            // The end of a segment is that of its last part, too.
            guard lastEnd != now else { return }
            if let lastEnd, lastEnd < now, index < PartRhythm.maximumPartCount {
                while intervals.count <= index { intervals.append([]) }
                intervals[index].append(now - lastEnd)
                if intervals[index].count > PartRhythm.segmentCount { intervals[index].removeFirst() }
            }
            lastEnd = now
            index += 1
        }
    }

    private var tracks: [MediaType: Track] = [:]

    /// Notes what has been finished.
    ///
    /// - Parameters:
    ///   - mediaType: the track's.
    ///   - mediaSequence: the number of the segment of which it is a part, or which it is.
    ///   - now: the time on the publisher's event loop.
    mutating func finished(_ mediaType: MediaType, of mediaSequence: Int, now: NIODeadline) {
        tracks[mediaType, default: Track()].finish(mediaSequence, now: now)
    }

    /// The time until which no part of the track is finished, presumably; `nil` if that is not known. A track that has had no
    /// part counts as all others together.
    func quietEnd(_ mediaType: MediaType) -> NIODeadline? {
        if let track = tracks[mediaType] { return track.restEnd }
        let ends = tracks.values.map(\.restEnd)
        return ends.contains(nil) ? nil : ends.compactMap(\.self).min()
    }
}
