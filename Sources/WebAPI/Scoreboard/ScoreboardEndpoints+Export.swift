import APIContract
import APIDeclarations
import Accounts
import JSONDocument
import Scoreboard

extension ScoreboardEndpoints {
    /// The events that a member has entered as a referee.
    package func export(of member: ExportedMember) async throws -> [ExportChapter] {
        let entered = try await scoreboard.entries(by: member.account.id).map { match, entry in
            EnteredScoreFields.object {
                [
                    $0.match(match.text), $0.sequence(Int(clamping: entry.sequence)),
                    $0.time(BoardResource.time(entry.time)), $0.event(entry.content.json),
                ]
            }
        }
        let hidden = try await scoreboard.hiddenResults(of: member.account.id)
        let watched = JSONText.array(hidden.watched.map(\.text).sorted().map { .string($0) })
        return [
            ExportChapter(
                [
                    .both(name: "scores", entered.json), .both(name: "hidesResults", .boolean(hidden.hides)),
                    .both(name: "watchedMatches", watched),
                ], text: "scores")
        ]
    }
}
