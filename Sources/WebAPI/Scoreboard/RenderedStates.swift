import APIContract
import Accounts
import JSONDocument
import MediaCore
import Scoreboard
import Synchronization

/// The states of the matches that channels show, rendered once for all displays: each asks for them after each event.
final class RenderedStates: Sendable {
    /// The state of the match on which all its rendered states depend: a new entry may change those before it.
    private struct Version: Hashable {
        var sequence: Int64
        var entrantsRevision: Int64
        /// The day of the players' ages.
        var today: CivilDate
    }

    private struct States {
        var version: Version
        var times: [WallClockTime]
        var texts: [JSONText]
        var byteCount: Int
    }

    /// Limit on the matches whose states are kept: those of all courts of a large station.
    private static let maximumCount = 64
    /// Limit on the bytes of a match whose states are kept. Those of a long match are about a megabyte.
    private static let maximumByteCount = 4 << 20
    /// Limit on the states of an answer, several times those of a long match. The newest count.
    static let maximumCountOfAnswer = 1_000
    private let kept = Mutex<[OpaqueID: States]>([:])

    /// The state that was shown at a time, and all that came after it, oldest first.
    ///
    /// - Parameters:
    ///   - match: the match.
    ///   - time: the time; before the match began, all states.
    ///   - today: the day.
    func states(of match: ScoreMatch, since time: WallClockTime, today: CivilDate) -> [JSONText] {
        let version = Version(
            sequence: match.log.lastSequence, entrantsRevision: match.entrantsRevision, today: today)
        let found = kept.withLock { $0[match.id] }
        let states = found.flatMap { $0.version == version ? $0 : nil } ?? Self.render(match, version)
        if found?.version != version, states.byteCount <= Self.maximumByteCount {
            kept.withLock { kept in
                if kept.count >= Self.maximumCount, kept[match.id] == nil, let other = kept.keys.first {
                    kept[other] = nil
                }
                kept[match.id] = states
            }
        }
        let first = states.times.lastIndex { $0 <= time } ?? states.times.startIndex
        return Array(states.texts[first...])
    }

    private static func render(_ match: ScoreMatch, _ version: Version) -> States {
        var shown = match.timeline.suffix(maximumCountOfAnswer)
        if shown.isEmpty { shown = [(sequence: 0, time: match.createdAt, state: match.setup.beginning)] }
        let texts = shown.map { state in
            BoardResource.board(
                match, state: state.state, sequence: state.sequence, time: state.time, today: version.today,
                listsConflicts: state.sequence == shown.last?.sequence
            ).json.rendered
        }
        return States(
            version: version, times: shown.map(\.time), texts: texts.map { .raw($0) },
            byteCount: texts.reduce(0) { $0 + $1.utf8.count })
    }
}
