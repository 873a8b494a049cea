import APIClient
import APIContract
import ArgumentParser
import JSONDocument

/// `antena title show` and `antena track show`.
struct ShowItem<Kind: ItemKind>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "show", abstract: "Show the details of a \(Kind.noun), and their sources.")
    }

    @OptionGroup var options: ServerOptions

    @Argument(help: ArgumentHelp(Kind.nameHelp, valueName: Kind.noun))
    var name: String

    @Flag(help: "Print JSON instead of a table.")
    var json = false

    func run() async throws {
        let details = try await options.withClient { client in
            try await Kind.details(of: try await Kind.id(of: name, client), client)
        }
        print(json ? details.json.rendered : DetailTables.details(details))
    }
}
