import APIClient
import APIContract
import APIDeclarations
import ArgumentParser
import JSONDocument

struct PlayerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "player", abstract: "Manage the players of matches.",
        subcommands: [
            ListCommand<List>.self, ShowCommand<Show>.self, Add.self, Set.self, EachCommand<Delete>.self,
            Photo.self, Import.self,
        ])

    /// The fields of a player.
    struct Fields: ParsableArguments {
        @Option(help: "female, male or other.")
        var gender: String?

        @Option(help: "The country by its code (ISO 3166-1), such as ES.")
        var country: String?

        @Option(name: .customLong("born"), help: ArgumentHelp("The date of birth.", valueName: "YYYY-MM-DD"))
        var birthDate: String?

        @Option(help: "A line below the name, such as a club.")
        var extra: String?

        func change(firstName: String?, lastName: String?) -> APIObject<ScorePlayerChangeFields> {
            ScorePlayerChangeFields.request { player in
                [
                    firstName.map { player.firstName($0) }, lastName.map { player.lastName($0) },
                    gender.map { player.gender($0) }, country.map { player.country($0) },
                    birthDate.map { player.birthDate($0) }, extra.map { player.extra($0) },
                ]
            }
        }
    }

    struct List: ListedItems {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List players, by last name.")
        static let nothing = "no players"

        @Option(help: "Beginnings of first or last names.")
        var search: String?

        @OptionGroup var limit: LimitOption

        func items(_ client: ServerClient) async throws -> [APIObject<ScorePlayerFields>] {
            try await client.players(search: search, limit: limit.limit)
        }
    }

    struct Show: ShownItem {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a player.")

        @Argument(help: "The ID of the player.")
        var id: String

        func item(_ client: ServerClient) async throws -> APIObject<ScorePlayerFields> { try await client.player(id) }

        static func text(_ item: APIObject<ScorePlayerFields>) -> String {
            "\(item.firstName ?? "-") \(item.lastName ?? "-"), \(item.country ?? "-"), \(item.age ?? 0)"
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "add", abstract: "Add a player.")

        @OptionGroup var options: ServerOptions

        @Argument(help: "The first name.")
        var firstName: String

        @Argument(help: "The last name.")
        var lastName: String

        @OptionGroup var fields: Fields

        @Flag(help: "Print the player as JSON.")
        var json = false

        func run() async throws {
            let new = fields.change(firstName: firstName, lastName: lastName)
            let made = try await options.withClient { try await $0.createPlayer(new) }
            print(json ? made.json.rendered : "\(made.id ?? "-"): added")
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Change a player; results show the new data.")

        @OptionGroup var options: ServerOptions

        @Argument(help: "The ID of the player.")
        var id: String

        @Option(help: "The first name.")
        var firstName: String?

        @Option(help: "The last name.")
        var lastName: String?

        @OptionGroup var fields: Fields

        @Flag(help: "Print the player as JSON.")
        var json = false

        func run() async throws {
            let change = fields.change(firstName: firstName, lastName: lastName)
            let changed = try await options.withClient { try await $0.changePlayer(id, change) }
            print(json ? changed.json.rendered : "\(changed.id ?? "-"): changed")
        }
    }

    struct Photo: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "photo", abstract: "Set or remove the photo of a player.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "The ID of the player.")
        var id: String

        @OptionGroup var photo: PhotoFile

        func run() async throws {
            try await options.withClient { try await $0.setPlayerPhoto(id, toFileAt: photo.file) }
            output.print(id, photo.remove ? "photo removed" : "photo changed")
        }
    }

    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import", abstract: "Add players from a table.",
            discussion: """
                The table has comma-separated values. Its first line names the columns: firstName, lastName, gender, \
                country, birthDate, and extra, which may be missing. A player with the same name and date of birth is \
                not added again. If a row has a problem, nobody is added.
                """)

        @OptionGroup var options: ServerOptions

        @Flag(help: "Only print what would happen.")
        var trial = false

        @Flag(help: "Print JSON instead of sentences.")
        var json = false

        @Argument(help: "The file; - for standard input.", completion: .file(extensions: ["csv"]))
        var file: String

        func run() async throws {
            let table = try ImportTitles.read(file)
            let report = try await options.withClient { try await $0.importPlayers(table, isTrial: trial) }
            let problems = report.problems ?? []
            if json {
                print(report.json.rendered)
            } else {
                for problem in problems {
                    let place = ["line \(problem.line ?? 1)", problem.column ?? nil].compactMap(\.self)
                    print("\(place.joined(separator: ", ")): \(problem.reason ?? "")")
                }
                for duplicate in report.duplicates ?? [] {
                    print("line \(duplicate.line ?? 1): \(duplicate.reason ?? ""); left out")
                }
                print(
                    "\(report.read ?? 0) rows read, \(report.added ?? 0) players \(trial ? "would be added" : "added")")
            }
            if !problems.isEmpty { throw ExitCode.failure }
        }
    }

    struct Delete: NamedItems {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete players; results keep their names.")
        static let result = "deleted"

        @Argument(help: "IDs of players.")
        var ids: [String]

        func apply(to id: String, _ client: ServerClient) async throws { try await client.deletePlayer(id) }
    }
}
