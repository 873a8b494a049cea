import APIClient
import APIContract
import APIDeclarations
import ArgumentParser
import JSONDocument

/// `antena score statistics`.
struct ScoreStatistics: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "statistics", abstract: "Show the statistics of a player, by rules and together.")

    @OptionGroup var options: ServerOptions

    @Argument(help: "The ID of the player.")
    var player: String

    @Option(help: ArgumentHelp("Only matches against this player.", valueName: "id"))
    var against: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let found = try await options.withClient { try await $0.playerStatistics(player, against: against) }
        guard !json else { return print(found.json.rendered) }
        let rival = found.againstName.flatMap { $0 }.map { " against \($0)" } ?? ""
        let rows = (found.rules ?? []) + (found.total.map { [$0] } ?? [])
        print("\(found.fullName ?? "-")\(rival)\n\(ObjectTable.text(rows, nothing: "no results"))")
    }
}
