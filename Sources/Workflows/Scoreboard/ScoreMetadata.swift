import Accounts
import HLSPlaylist
import JSONDocument
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
            let members = values.map { name, value in (name.lowercased(), JSONText.string(value)) }
            return try TimedMetadata(
                id: "\(Self.name)-\(match.id.text)-\(entry.sequence)",
                rangeClass: Self.name,
                endsOnNext: true, attributes: attributes,
                tag: ID3Tag(description: Self.name, value: JSONText.object(members).rendered))
        }
    }

    /// The values that playlists leave out: they repeat each range to every viewer, for as long as the time shift
    /// reaches.
    private static let onlyInTag: Set = ["MATCH", "SIDE-A", "SIDE-B", "SCORE"]

    /// Names of attributes without their prefix, and their values.
    private func values(of state: MatchState) -> [(String, String)] {
        let time = CivilTime(millisecondsSince1970: entry.time.millisecondsSince1970).description
        var values = [
            ("MATCH", match.id.text), ("SEQUENCE", "\(entry.sequence)"), ("TIME", time),
            ("PHASE", state.phase.rawValue),
            ("GAME", "\(state.game + 1)"), ("POINTS", both { state.pointsText(of: $0) }),
            ("WON", both { "\(state.sides[$0].won)" }), ("SIDE-A", names(.a)), ("SIDE-B", names(.b)),
        ]
        let score = match.scoreText(of: state)
        if !score.isEmpty { values.append(("SCORE", score)) }
        if let server = state.server { values.append(("SERVER", "\(server.side.rawValue)\(server.player + 1)")) }
        if let winner = state.winner { values.append(("WINNER", winner.rawValue)) }
        if case .amendment(let sequence, _) = entry.content { values.append(("REPLACES", "\(sequence)")) }
        if case .action(.start) = entry.content { values.append(("TITLE", title(state))) }
        if case .action(.nextGame) = entry.content { values.append(("TITLE", title(state))) }
        return values
    }

    private func both(_ value: (MatchSide) -> String) -> String { "\(value(.a))-\(value(.b))" }

    /// The name of a moment that players list.
    private func title(_ state: MatchState) -> String { "\(names(.a)) – \(names(.b)) · \(state.game + 1)" }

    private func names(_ side: MatchSide) -> String {
        let names = match.setup.sides[side].map(\.shortName).joined(separator: " / ")
        // A quoted string of a playlist has no quotation mark.
        return String(names.replacing("\"", with: "'").prefix(Self.maximumNameLength))
    }

    private static let maximumNameLength = 80
}
