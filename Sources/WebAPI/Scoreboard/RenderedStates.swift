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
    }

    /// Limit on the matches whose states are kept: those of all courts of a large station.
    private static let maximumCount = 64
    private let kept = Mutex<[OpaqueID: States]>([:])

    /// The state that was shown at a time, and all that came after it, oldest first.
    ///
    /// - Parameters:
    ///   - match: the match.
    ///   - time: the time; before the match began, all states.
    ///   - limit: the limit of states; the newest count.
    ///   - today: the day.
    func states(of match: ScoreMatch, since time: WallClockTime, limit: Int, today: CivilDate) -> [JSONText] {
        let version = Version(
            sequence: match.log.lastSequence, entrantsRevision: match.entrantsRevision, today: today)
        let found = kept.withLock { $0[match.id] }
        let states = found.flatMap { $0.version == version ? $0 : nil } ?? Self.render(match, version)
        if found?.version != version {
            kept.withLock { kept in
                if kept.count >= Self.maximumCount, kept[match.id] == nil { kept.removeAll() }
                kept[match.id] = states
            }
        }
        let first = states.times.lastIndex { $0 <= time } ?? states.times.startIndex
        return states.texts[first...].suffix(limit)
    }

    private static func render(_ match: ScoreMatch, _ version: Version) -> States {
        var shown = match.timeline
        if shown.isEmpty { shown = [(sequence: 0, time: match.createdAt, state: match.setup.beginning)] }
        return States(
            version: version, times: shown.map(\.time),
            texts: shown.map {
                .raw(
                    BoardResource.board(
                        match, state: $0.state, sequence: $0.sequence, time: $0.time, today: version.today
                    ).json.rendered)
            })
    }
}
