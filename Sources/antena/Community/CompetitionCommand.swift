import APIClient
import APIContract
import APIDeclarations
import ArgumentParser
import Foundation
import JSONDocument

struct CompetitionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "competition", abstract: "List, create and change competitions and their standings.",
        discussion: """
            A competition can be entered from a week before its first day. Its state, and those of its days, follow from \
            the dates in its time zone.
            """,
        subcommands: [
            ListCommand<List>.self, ShowCommand<Show>.self, Create.self, Set.self, EachCommand<Delete>.self,
            StandingsCommand.self, Image.self,
            Map.self,
        ])

    struct List: ListedItems {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List competitions by start.")
        static let nothing = "no competitions"

        @Option(
            help: "Only current or finished competitions: current or finished. (default: all)",
            completion: .list(["current", "finished"]))
        var period: String?

        @Option(help: "Words or parts of words of the name.")
        var search: String?

        @OptionGroup var list: LimitOption

        func items(_ client: ServerClient) async throws -> [APIObject<CompetitionFields>] {
            try await client.competitions(period: period, search: search, limit: list.limit)
        }
    }

    struct Show: ShownItem {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show a competition with its days.")

        @Argument(help: "The ID of the competition.")
        var id: String

        func item(_ client: ServerClient) async throws -> APIObject<CompetitionFields> {
            try await client.competition(id)
        }

        static func text(_ item: APIObject<CompetitionFields>) -> String { CompetitionTables.competition(item) }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Create a competition, and print its ID.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "The name.")
        var name: String

        @Option(help: ArgumentHelp("The first day, such as 2026-07-17.", valueName: "date"))
        var firstDay: String

        @Option(help: ArgumentHelp("The name of the time zone, such as Europe/Madrid.", valueName: "name"))
        var timeZone: String

        @Option(help: "The number of days, from 1 to 60.")
        var days = 1

        @Option(help: "A description.")
        var description: String?

        func run() async throws {
            let new = NewCompetitionFields.request { new in
                [
                    new.name(name), new.description(description), new.timeZone(timeZone), new.firstDay(firstDay),
                    new.dayCount(days),
                ]
            }
            let competition = try await options.withClient { try await $0.createCompetition(new) }
            output.print(competition, competition.id ?? "-")
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "set", abstract: "Change a competition.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "The ID of the competition.")
        var id: String

        @Option(help: "The name.")
        var name: String?

        @Option(help: ArgumentHelp("The first day, such as 2026-07-17.", valueName: "date"))
        var firstDay: String?

        @Option(help: ArgumentHelp("The name of the time zone, such as Europe/Madrid.", valueName: "name"))
        var timeZone: String?

        @Option(help: "The number of days, from 1 to 60.")
        var days: Int?

        @Option(help: "The description; empty for none.")
        var description: String?

        func run() async throws {
            let change = CompetitionChangeFields.request { change in
                [
                    name.map { change.name($0) }, description.map { change.description($0) },
                    timeZone.map { change.timeZone($0) }, firstDay.map { change.firstDay($0) },
                    days.map { change.dayCount($0) },
                ]
            }
            let competition = try await options.withClient { try await $0.changeCompetition(id, change) }
            output.print(competition, CompetitionTables.competition(competition))
        }
    }

    struct Delete: NamedItems {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Delete competitions with their standings and images.")
        static let result = "deleted"

        @Argument(help: "IDs of competitions.")
        var ids: [String]

        func apply(to id: String, _ client: ServerClient) async throws { try await client.deleteCompetition(id) }
    }

    struct StandingsCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "standings", abstract: "Print the standings of a competition, or replace them.",
            discussion: """
                They are a table of comma-separated values with a header, as spreadsheets write it. An empty file removes \
                them.
                """)

        @OptionGroup var options: ServerOptions

        @Argument(help: "The ID of the competition.")
        var id: String

        @Argument(
            help: "The file with the new standings; - for standard input. (default: print them)",
            completion: .file(extensions: ["csv"]))
        var file: String?

        @Flag(help: "Print JSON instead of comma-separated values.")
        var json = false

        func run() async throws {
            if let file {
                let table = try ImportTitles.read(file)
                let standings = try await options.withClient { try await $0.setStandings(of: id, to: table) }
                print(json ? standings.json.rendered : "\(id): \(standings.rows?.count ?? 0) rows")
            } else if json {
                print(try await options.withClient { try await $0.standings(of: id) }.json.rendered)
            } else {
                try await options.withClient { client in
                    try await client.standingsTable(of: id) {
                        try FileHandle.standardOutput.write(contentsOf: Data($0))
                    }
                }
            }
        }
    }

    struct Image: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "image",
            abstract: "Set the image of a competition: the square in the middle of a file. Without a file, remove it.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "The ID of the competition.")
        var id: String

        @Option(help: ArgumentHelp("A JPEG or PNG file.", valueName: "file"), completion: .file())
        var file: String?

        func run() async throws {
            let competition = try await options.withClient { client in
                if let file {
                    try await client.setImage(ofCompetition: id, toFileAt: file)
                } else {
                    try await client.removeImage(ofCompetition: id)
                }
            }
            output.print(competition, "\(id): \(competition.image ?? "no image")")
        }
    }

    struct Map: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "map",
            abstract: "Show the map of a competition, replace it, or remove it.",
            discussion: """
                The page of the competition shows its videos that have a place on the map. A map is a GPX file with tracks \
                or routes, or an image whose upper edge is in the north, with the degrees of its four edges.
                """)

        @OptionGroup var options: ServerOptions

        @Argument(help: "The ID of the competition.")
        var id: String

        @Option(help: ArgumentHelp("A GPX, JPEG or PNG file.", valueName: "file"), completion: .file())
        var file: String?

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("The latitude of the upper edge of an image.", valueName: "degrees"))
        var north: Double?

        @Option(
            parsing: .unconditional, help: ArgumentHelp("The longitude of its left edge.", valueName: "degrees"))
        var west: Double?

        @Option(
            parsing: .unconditional, help: ArgumentHelp("The latitude of its lower edge.", valueName: "degrees"))
        var south: Double?

        @Option(
            parsing: .unconditional, help: ArgumentHelp("The longitude of its right edge.", valueName: "degrees"))
        var east: Double?

        @Flag(help: "Remove the map.")
        var remove = false

        @Flag(help: "Print JSON instead of a table.")
        var json = false

        private var edges: [(name: String, degrees: Double)] {
            [("north", north), ("west", west), ("south", south), ("east", east)].compactMap { name, degrees in
                degrees.map { (name, $0) }
            }
        }

        func validate() throws {
            guard !remove || file == nil else { throw ValidationError("--remove cannot be combined with --file.") }
            guard edges.isEmpty || edges.count == 4 && file != nil else {
                throw ValidationError("--north, --west, --south and --east must be given together, with --file.")
            }
        }

        func run() async throws {
            if remove {
                try await options.withClient { try await $0.removeMap(ofCompetition: id) }
                return print("\(id): no map")
            }
            let map = try await options.withClient { client in
                if let file {
                    try await client.setMap(ofCompetition: id, toFileAt: file, edges: edges)
                } else {
                    try await client.map(ofCompetition: id)
                }
            }
            print(json ? map.json.rendered : CompetitionTables.map(map))
        }
    }
}
