import FastPathSwitch
import MediaCore
import NIOCore

/// Foretells when the next part of a push can be finished, from the parts of the segments before.
///
/// A viewer with low latency waits for a part, and nothing that arrives in the middle of one is of use to it. So the
/// publisher's packets have to be handled as they arrive only when a part can be finished. Encoders that space their
/// key frames evenly make parts evenly, except for the last one of each segment, which is shorter. What is compared are
/// the times of the units that finish parts (``PartIntervals``), not those of their arrival, which depends on how a
/// publisher packs units (``ArrivalSpans``) and on the network (``ArrivalDelays``).
struct PartRhythm: Sendable {
    /// The clock on which times of all tracks are compared.
    static let timescale = Timescale(1_000_000_000)

    private struct Track {
        var intervals = PartIntervals()
        var delays = ArrivalDelays()
        /// The track whose unit finished the newest part; another one if this track is filled.
        var source: MediaType
        /// True if a part has been finished since the last call of ``arrived(_:until:now:isDemanded:)``.
        var hasFinishedPart = false
        var quietEnd: NIODeadline?

        mutating func finish(_ mediaSequence: Int, at time: Int64, by source: MediaType) {
            self.source = source
            hasFinishedPart = true
            intervals.finish(mediaSequence, at: time)
        }

        /// Notes units that arrived together, the last of them at `time`, and foretells when the next part can end.
        mutating func arrived(_ time: Int64, _ spans: ArrivalSpans, now: NIODeadline, isDemanded: () -> Bool) {
            if hasFinishedPart {
                hasFinishedPart = false
                if isDemanded(), quietEnd.map({ now > $0 + ArrivalDelays.resolution }) ?? true {
                    delays.note(arrivedAt: now, unitTime: time)
                } else {
                    // It may have been there long before it was handled.
                    delays = ArrivalDelays()
                }
            }
            // Without delays, because nobody waits, nothing more need be computed.
            guard FastPaths.takes(.partRhythm), delays.areEnough, let end = intervals.next(after: time) else {
                quietEnd = nil
                return
            }
            quietEnd = delays.earliestArrival(of: spans.lastTime(with: end))
        }
    }

    private var tracks: [MediaType: Track] = [:]
    private var spans: [MediaType: ArrivalSpans] = [:]

    /// Notes what has been finished.
    ///
    /// - Parameters:
    ///   - mediaType: the track's.
    ///   - mediaSequence: the number of the segment of which it is a part, or which it is.
    ///   - unitTime: the decode time of the unit that finished it.
    ///   - source: the track of that unit.
    mutating func finished(
        _ mediaType: MediaType, of mediaSequence: Int, by unitTime: MediaTime, from source: MediaType
    ) {
        let time = unitTime.converted(to: Self.timescale).value
        tracks[mediaType, default: Track(source: source)].finish(mediaSequence, at: time, by: source)
    }

    /// Notes that units have arrived together, after what they finished.
    ///
    /// - Parameters:
    ///   - mediaType: the track's.
    ///   - unitTime: the decode time of the last of them.
    ///   - now: the time on the publisher's event loop.
    ///   - isDemanded: tells whether somebody waits for a track's parts. If nobody does, packets are handled when there
    ///     is time, so that nothing can be learned about their arrival.
    mutating func arrived(
        _ mediaType: MediaType, until unitTime: MediaTime, now: NIODeadline, isDemanded: (MediaType) -> Bool
    ) {
        let time = unitTime.converted(to: Self.timescale).value
        spans[mediaType, default: ArrivalSpans()].note(time)
        guard let spans = spans[mediaType] else { return }
        for name in MediaType.allCases where tracks[name]?.source == mediaType {
            tracks[name]?.arrived(time, spans, now: now) { isDemanded(name) }
        }
    }

    /// The time until which no part of the track is finished, presumably; `nil` if that is not known. A track that has
    /// had no part counts as all others together.
    func quietEnd(_ mediaType: MediaType) -> NIODeadline? {
        if let track = tracks[mediaType] { return track.quietEnd }
        let ends = tracks.values.map(\.quietEnd)
        return ends.contains(nil) ? nil : ends.compactMap(\.self).min()
    }
}
