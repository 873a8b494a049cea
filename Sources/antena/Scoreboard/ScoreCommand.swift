import APIClient
import APIContract
import APIDeclarations
import ArgumentParser
import JSONDocument

struct ScoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "score", abstract: "Keep the score of matches.",
        subcommands: [
            ListCommand<Rules>.self, New.self, ListCommand<List>.self, ShowCommand<Show>.self, Event.self,
            ListCommand<Log>.self, Board.self, EachCommand<Delete>.self, ScoreResults.self, ScoreMail.self,
            ScoreStatistics.self, PlayerCommand.self, StrategyCommand.self,
        ])

    struct Rules: ListedItems {
        static let configuration = CommandConfiguration(commandName: "rules", abstract: "List the rules of sports.")
        static let nothing = "no rules"

        func items(_ client: ServerClient) async throws -> [APIObject<MatchRulesFields>] {
            try await client.matchRules()
        }
    }

    struct New: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "new", abstract: "Set a match up.")

        @OptionGroup var options: ServerOptions

        @Argument(help: "The channel that shows the match.")
        var channel: String

        @Argument(help: "The rules, such as racquetball3; see \"antena score rules\".")
        var rules: String

        @Option(name: .customLong("a"), help: "A player of side A, by ID or name; twice for doubles.")
        var sideA: [String]

        @Option(name: .customLong("b"), help: "A player of side B, by ID or name; twice for doubles.")
        var sideB: [String]

        @Option(help: "singles, doubles or teams. (default: as in the rules)")
        var modality: String?

        @Option(help: "manual, sideOut or rally. (default: as in the rules)")
        var scoring: String?

        @Option(help: "The first server: a1, a2, b1 or b2. (default: drawn)")
        var firstServer: String?

        @Option(help: "The competition.")
        var competition: String?

        @Option(help: "The day, round or court.")
        var stage: String?

        @Option(help: "The name of the referee.")
        var referee: String?

        @Flag(help: "Print the match as JSON.")
        var json = false

        func run() async throws {
            let new = NewMatchFields.request { match in
                [
                    match.channel(channel), match.rules(rules), match.sideA(sideA), match.sideB(sideB),
                    modality.map { match.modality($0) }, scoring.map { match.scoring($0) },
                    firstServer.map { match.firstServer($0) }, competition.map { match.competition($0) },
                    stage.map { match.stage($0) }, referee.map { match.referee($0) },
                ]
            }
            let made = try await options.withClient { try await $0.createMatch(new) }
            print(json ? made.json.rendered : "\(made.match ?? "-"): \(ScoreCommand.line(made))")
        }
    }

    struct List: ListedItems {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List matches, newest first.")
        static let nothing = "no matches"

        @Option(help: "Only matches of this channel.")
        var channel: String?

        @Option(help: "Only matches of the player with this ID.")
        var player: String?

        @Option(help: "Only matches of this competition.")
        var competition: String?

        @Flag(help: "Only matches that have not ended.")
        var open = false

        @Flag(help: "Only matches with a result.")
        var results = false

        @OptionGroup var limit: LimitOption

        func items(_ client: ServerClient) async throws -> [APIObject<MatchFields>] {
            try await client.matches(
                channel: channel, player: player, competition: competition,
                shown: open ? "open" : results ? "results" : nil, limit: limit.limit)
        }
    }

    struct Show: ShownItem {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Show the board of a match.")

        @Argument(help: "The ID of the match.")
        var id: String

        func item(_ client: ServerClient) async throws -> APIObject<BoardFields> { try await client.match(id) }

        static func text(_ item: APIObject<BoardFields>) -> String { ScoreCommand.text(item) }
    }

    struct Event: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "event", abstract: "Add an event to a match, such as a point.",
            discussion: """
                Types: start, point, correct, changeServer, setServer, timeOut, endTimeOut, appeal, card, injury,
                freeze, unfreeze, undo, amend, nextGame, endPeriod, startClock, stopClock, setClock, note, walkover,
                abandon.
                """)

        @OptionGroup var options: ServerOptions

        @Argument(help: "The ID of the match.")
        var id: String

        @Argument(help: "The type of the event.")
        var type: String

        @Argument(help: "The side: a or b.")
        var side: String?

        @Option(help: "The number of points.")
        var count: Int?

        @Option(help: "The number of the player on the side, from 0.")
        var player: Int?

        @Option(help: "The outcome of an appeal: used, upheld or rejected.")
        var outcome: String?

        @Option(help: "The colour of a card: yellow, red, black or white.")
        var card: String?

        @Option(help: "The time that the clock shows, in seconds.")
        var seconds: Int?

        @Option(help: "The text of a note.")
        var text: String?

        @Option(help: "The number of the entry to amend; without --with it is left out.")
        var sequence: Int?

        @Option(help: ArgumentHelp("The event in its place, as JSON.", valueName: "event"))
        var with: String?

        @Option(help: "The number of the last entry that you know; the event is refused if there are others.")
        var expected: Int?

        @Flag(help: "Print the board as JSON.")
        var json = false

        /// - Throws: `ValidationError` if `--with` is not JSON.
        private func event() throws -> JSONText {
            var fields: [JSONText.Field] = [("type", .string(type))]
            if let side { fields.append(("side", .string(side))) }
            if let count { fields.append(("count", .integer(count))) }
            if let player { fields.append(("player", .integer(player))) }
            if let outcome { fields.append(("outcome", .string(outcome))) }
            if let card { fields.append(("card", .string(card))) }
            if let seconds { fields.append(("seconds", .integer(seconds))) }
            if let text { fields.append(("text", .string(text))) }
            if let sequence { fields.append(("sequence", .integer(sequence))) }
            if let with {
                guard let node = try? JSONParser.parse(with.utf8) else {
                    throw ValidationError("--with must be JSON, such as '{\"type\": \"point\", \"side\": \"b\"}'.")
                }
                fields.append(("event", JSONText(node)))
            }
            return .object(fields)
        }

        func run() async throws {
            let event = try event()
            let sent = NewMatchEventsFields.request { events in
                [events.events([event]), expected.map { events.expected($0) }]
            }
            let board = try await options.withClient { try await $0.addMatchEvents(id, sent) }
            print(json ? board.json.rendered : ScoreCommand.text(board))
        }
    }

    struct Log: ListedItems {
        static let configuration = CommandConfiguration(commandName: "log", abstract: "List the events of a match.")
        static let nothing = "no events"

        @Argument(help: "The ID of the match.")
        var id: String

        func items(_ client: ServerClient) async throws -> [APIObject<MatchEventFields>] {
            try await client.matchEvents(of: id)
        }
    }

    struct Board: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "board", abstract: "Show the match that a channel shows.")

        @OptionGroup var options: ServerOptions

        @Argument(help: "The name of the channel.")
        var channel: String

        @Flag(help: "Print the boards of the last two minutes as JSON.")
        var json = false

        func run() async throws {
            let boards = try await options.withClient { try await $0.scoreboard(ofChannel: channel) }
            if json {
                print(JSONText.array(boards.map(\.json)).rendered)
            } else {
                print(boards.last.map(ScoreCommand.text) ?? "no match")
            }
        }
    }

    struct Delete: NamedItems {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete matches and their results.")
        static let result = "deleted"

        @Argument(help: "IDs of matches.")
        var ids: [String]

        func apply(to id: String, _ client: ServerClient) async throws { try await client.deleteMatch(id) }
    }

    /// A line with both sides and their points.
    static func line(_ board: APIObject<BoardFields>) -> String {
        let sides = (board.sides ?? []).map { side in
            let names = (side.players ?? []).compactMap(\.fullName).joined(separator: " / ")
            return "\(names) \(side.pointsText ?? "0")\(side.serving == nil ? "" : "*")"
        }
        return sides.joined(separator: " – ")
    }

    static func text(_ board: APIObject<BoardFields>) -> String {
        var lines = [line(board), "\(board.phase ?? "-"), game \(board.game ?? 1)"]
        let finished = (board.finished ?? []).map { $0.map(String.init).joined(separator: "-") }
        if !finished.isEmpty { lines.append("games: \(finished.joined(separator: ", "))") }
        for side in board.sides ?? [] {
            let name = side.players?.first?.shortName ?? "-"
            lines.append("\(name): \(side.timeOutsLeft ?? 0) time-outs and \(side.appealsLeft ?? 0) appeals left")
        }
        for conflict in board.conflicts ?? [] {
            lines.append("event \(conflict.sequence ?? 0) is not possible any more: \(conflict.text ?? "-")")
        }
        return lines.joined(separator: "\n")
    }
}
