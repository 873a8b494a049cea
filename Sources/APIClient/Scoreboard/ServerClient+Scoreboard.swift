package import APIContract
package import APIDeclarations
import MediaCore
import NIOHTTP1

extension ServerClient {
    /// The rules by which matches can be scored.
    package func matchRules() async throws -> [APIObject<MatchRulesFields>] {
        try await items(ScoreboardAPI.listMatchRules)
    }

    // MARK: Players

    /// Players, by last name.
    ///
    /// - Parameters:
    ///   - search: beginnings of names; `nil` for all.
    ///   - limit: maximum number.
    package func players(search: String?, limit: Int) async throws -> [APIObject<ScorePlayerFields>] {
        try await items(ScoreboardAPI.listPlayers, query: [("q", search)], limit: limit)
    }

    package func player(_ id: String) async throws -> APIObject<ScorePlayerFields> {
        try await send(ScoreboardAPI.getPlayer, id)
    }

    /// Adds a player.
    package func createPlayer(_ new: APIObject<ScorePlayerChangeFields>) async throws -> APIObject<ScorePlayerFields> {
        try await send(ScoreboardAPI.createPlayer, body: new)
    }

    /// Changes fields of a player.
    package func changePlayer(
        _ id: String, _ change: APIObject<ScorePlayerChangeFields>
    ) async throws -> APIObject<ScorePlayerFields> {
        try await self.change(ScoreboardAPI.changePlayer, id, body: change)
    }

    /// The counts of the results of a player.
    ///
    /// - Parameters:
    ///   - id: the ID of the player.
    ///   - rival: the ID of another player; `nil` for matches against all.
    package func playerStatistics(
        _ id: String, against rival: String?
    ) async throws -> APIObject<PlayerStatisticsFields> {
        try await send(ScoreboardAPI.getPlayerStatistics, id, query: [("against", rival)])
    }

    package func deletePlayer(_ id: String) async throws { try await send(ScoreboardAPI.deletePlayer, id) }

    /// Makes a JPEG or PNG file the photo of a player; `nil` removes the photo.
    package func setPlayerPhoto(_ id: String, toFileAt path: String?) async throws {
        guard let path else { return try await send(ScoreboardAPI.deletePlayerPhoto, id) }
        _ = try await putImage(Self.path(of: ScoreboardAPI.setPlayerPhoto, [id]), fileAt: path)
    }

    /// The time for an import of as many players as one request may bring.
    private static let playerImportTimeout = Duration.seconds(60)

    /// Adds the players of a table.
    ///
    /// - Parameters:
    ///   - table: the bytes of a CSV file.
    ///   - isTrial: whether the server only says what would happen.
    package func importPlayers(_ table: [UInt8], isTrial: Bool) async throws -> APIObject<PlayerImportFields> {
        let query: [(name: String, value: String?)] = [("trial", isTrial ? "true" : nil)]
        return try value(
            try await send(
                .POST, Self.path(of: ScoreboardAPI.importPlayers, [], query: query), table, type: "text/csv",
                timeout: Self.playerImportTimeout))
    }

    // MARK: Matches

    /// Matches, newest first.
    ///
    /// - Parameters:
    ///   - channel: the channel; `nil` for all.
    ///   - player: the ID of a player; `nil` for all.
    ///   - competition: the competition; `nil` for all.
    ///   - shown: `open` or `results`; `nil` for all.
    ///   - limit: maximum number.
    package func matches(
        channel: String?, player: String?, competition: String?, shown: String?, limit: Int
    ) async throws -> [APIObject<MatchFields>] {
        try await items(
            ScoreboardAPI.listMatches,
            query: [("channel", channel), ("player", player), ("competition", competition), ("show", shown)],
            limit: limit)
    }

    /// Fetches results as a file, piece by piece.
    ///
    /// - Parameters:
    ///   - filter: the results.
    ///   - format: txt, csv or pdf.
    ///   - body: receives the pieces in their order.
    package func results(
        _ filter: ResultFilter, format: String, _ body: ([UInt8]) throws -> Void
    ) async throws {
        let query = filter.query + [("format", format)]
        try await pieces(of: Self.path(of: ScoreboardAPI.listMatches, [], query: query), body)
    }

    /// Writes results to a file, whole or not at all: if the server refuses, an older file stays as it is.
    ///
    /// - Parameters:
    ///   - filter: the results.
    ///   - format: txt, csv or pdf.
    ///   - path: the file.
    package func results(_ filter: ResultFilter, format: String, to path: String) async throws {
        var bytes: [UInt8] = []
        try await results(filter, format: format) { bytes += $0 }
        do {
            try FileReplacement.write(bytes, to: path, permissions: 0o644)
        } catch {
            throw ServerClientError("\(path) cannot be written: \(error)")
        }
    }

    /// Sends results by mail.
    ///
    /// - Parameters:
    ///   - filter: the results.
    ///   - addresses: the recipients.
    package func mailResults(
        _ filter: ResultFilter, to addresses: [String]
    ) async throws -> APIObject<ResultMailsFields> {
        try await send(ScoreboardAPI.mailResults, body: filter.mail(to: addresses))
    }

    /// Sets a match up.
    package func createMatch(_ new: APIObject<NewMatchFields>) async throws -> APIObject<BoardFields> {
        try await send(ScoreboardAPI.createMatch, body: new)
    }

    /// The board of a match.
    package func match(_ id: String) async throws -> APIObject<BoardFields> {
        try await send(ScoreboardAPI.getMatch, id)
    }

    package func deleteMatch(_ id: String) async throws { try await send(ScoreboardAPI.deleteMatch, id) }

    /// The log of a match.
    package func matchEvents(of id: String) async throws -> [APIObject<MatchEventFields>] {
        try await items(ScoreboardAPI.listMatchEvents, id)
    }

    /// The states of the match that a channel shows.
    package func scoreboard(ofChannel name: String) async throws -> [APIObject<BoardFields>] {
        try await items(ScoreboardAPI.getScoreboard, name)
    }

    /// Adds events to a match, and returns its board.
    package func addMatchEvents(
        _ id: String, _ events: APIObject<NewMatchEventsFields>
    ) async throws -> APIObject<BoardFields> {
        try await send(ScoreboardAPI.addMatchEvents, id, body: events)
    }

    // MARK: Drawings

    /// The drawings of the sender, newest first, without their lines.
    ///
    /// - Parameter limit: maximum number.
    package func strategies(limit: Int) async throws -> [APIObject<StrategyFields>] {
        try await items(StrategyAPI.listStrategies, query: [], limit: limit)
    }

    package func strategy(_ id: String) async throws -> APIObject<StrategyDrawingFields> {
        try await send(StrategyAPI.getStrategy, id)
    }

    package func deleteStrategy(_ id: String) async throws { try await send(StrategyAPI.deleteStrategy, id) }

    /// Shows a drawing on the board of a channel.
    package func showStrategy(
        _ drawing: APIObject<ShownStrategyChangeFields>, onChannel name: String
    ) async throws {
        try await send(StrategyAPI.showStrategy, name, body: drawing)
    }

    package func hideStrategy(ofChannel name: String) async throws { try await send(StrategyAPI.hideStrategy, name) }
}
