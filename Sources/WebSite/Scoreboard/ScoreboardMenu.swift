/// The sections of the pages of matches.
struct ScoreboardMenu {
    private let links: [(path: String, name: String)]

    init(_ text: ScoreboardText, _ players: MatchPlayersText, _ tablet: MatchTabletText) {
        links = [
            (ScoreboardPath.newMatch, text.newMatch), (ScoreboardPath.players, players.players),
            (ScoreboardPath.tablet, text.tablet), (ScoreboardPath.results, text.results),
            (ScoreboardPath.strategy, tablet.strategy), (ScoreboardPath.all, text.heading),
        ]
    }

    /// The values of the partial `scoremenu`.
    ///
    /// - Parameter path: the path of the section that is shown.
    func values(path: String) -> [[String: Any]] {
        links.map { ["path": $0.path, "name": $0.name, "current": $0.path == path] }
    }
}
