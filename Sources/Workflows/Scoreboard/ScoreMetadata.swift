import Accounts
import HLSPlaylist
package import LiveChannels
import MediaCore
import Packaging
package import Scoreboard

/// The announcement of a change of a score in the stream of its channel: a date range, and an ID3 tag.
package struct ScoreMetadata {
    /// CLASS of the date ranges, and description of the ID3 tags.
    package static let name = "antena.score"

    private let match: ScoreMatch
    private let entry: MatchEntry

    /// - Parameters:
    ///   - match: the match after the change.
    ///   - entry: the entry of its log that is the change.
    package init(_ match: ScoreMatch, _ entry: MatchEntry) { (self.match, self.entry) = (match, entry) }

    /// The state after the entry, with what came before it corrected; `nil` while the public board is frozen, and for
    /// an entry that changes nothing. A correction shows the newest state.
    private var state: MatchState? {
        guard !match.state.isFrozen else { return nil }
        if case .amendment = entry.content { return match.state }
        return match.timeline.last { $0.sequence == entry.sequence }?.state
    }

    /// The announcement; `nil` if viewers see nothing of the change.
    ///
    /// - Throws: `TimedMetadataError` if a text cannot stand in a playlist.
    package var metadata: TimedMetadata? {
        get throws {
            guard let state else { return nil }
            let values = values(of: state)
            let attributes = values.compactMap { name, value in
                Self.onlyInTag.contains(name) ? nil : DateRange.Attribute("X-\(name)", .string(value))
            }
            return try TimedMetadata(
                id: "\(Self.name)-\(match.id.text)-\(entry.sequence)",
                rangeClass: Self.name,
                endsOnNext: true, attributes: attributes,
                tag: ID3Tag(description: Self.name, value: ScoreValues.document(values)))
        }
    }

    /// The values that playlists leave out: they repeat each range to every viewer, for as long as the time shift
    /// reaches.
    private static let onlyInTag: Set = ["MATCH", "SIDE-A", "SIDE-B", "SCORE"]

    /// Names of attributes without their prefix, and their values.
    private func values(of state: MatchState) -> [(String, String)] {
        let values = ScoreValues(
            match: match, sequence: entry.sequence, time: entry.time, state: state, isBeginning: entry.isBeginning
        ).pairs
        guard case .amendment(let sequence, _) = entry.content else { return values }
        return values + [("REPLACES", "\(sequence)")]
    }
}

extension MatchEntry {
    /// Whether the match or a game begins with the entry.
    var isBeginning: Bool {
        switch content {
        case .action(.start), .action(.nextGame): true
        case .action, .amendment: false
        }
    }
}
