package import ISOBMFF
import MediaCore
import Packaging
package import Scoreboard

/// The scores of a recording as a WebVTT metadata track: a cue for each state, on the recording's timeline, with the
/// JSON of the stream's ID3 tags.
package struct ScoreTrack: Sendable {
    /// Limit of the cues: those of some long matches. Later ones are left out.
    package static let maximumCueCount = 20_000
    /// Limit of the spans of a recording whose matches are looked up: there is one for each push. Later ones are left
    /// out.
    private static let maximumSpanCount = 256

    private struct Cue {
        var start, end: MediaTime
        var text: String
    }

    private var cues: [Cue] = []

    /// - Parameters:
    ///   - channel: the channel that was recorded.
    ///   - spans: the dates of the recording.
    ///   - scoreboard: the matches.
    package init(of channel: String, _ spans: [DatedSpan], _ scoreboard: Scoreboard) async throws {
        for span in spans.prefix(Self.maximumSpanCount) where cues.count < Self.maximumCueCount {
            let matches = try await scoreboard.matches(of: channel, from: span.date, to: span.endDate)
            add(ShownState.all(of: matches, from: span.date, to: span.endDate), in: span)
        }
    }

    private mutating func add(_ states: [ShownState], in span: DatedSpan) {
        for (index, shown) in states.enumerated() where cues.count < Self.maximumCueCount {
            let next = index + 1 < states.count ? states[index + 1].time : span.endDate
            let (start, end) = (span.time(of: shown.time), span.time(of: min(next, shown.end ?? next)))
            // A board that waits for its match shows nothing.
            guard start < end, shown.state.phase != .ready else { continue }
            let values = ScoreValues(
                match: shown.match, sequence: shown.sequence, time: shown.time, state: shown.state,
                isBeginning: shown.match.log.entry(shown.sequence)?.isBeginning ?? false)
            cues.append(Cue(start: start, end: end, text: ScoreValues.document(values.pairs)))
        }
    }

    /// The file. No cue's text has the arrow of cue times (WebVTT §4.1).
    package var document: String {
        cues.reduce(into: "WEBVTT\n") { document, cue in
            let (start, end) = (Self.milliseconds(cue.start), Self.milliseconds(cue.end))
            document += "\n\(SubtitleDocument.timestamp(start)) --> \(SubtitleDocument.timestamp(end))\n"
            document += cue.text.replacing("-->", with: "--\\u003e") + "\n"
        }
    }

    private static func milliseconds(_ time: MediaTime) -> Int64 { max(0, time.converted(to: .milliseconds).value) }
}
