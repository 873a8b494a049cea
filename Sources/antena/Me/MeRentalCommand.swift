import APIClient
import ArgumentParser
import JSONDocument

struct MeRentalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rental", abstract: "List and activate your rentals.",
        subcommands: [ListCommand<List>.self, Start.self])

    struct List: ListedItems {
        typealias Server = SessionOptions

        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List your rentals, newest first.")

        @Option(help: "Number of rentals.")
        var limit = 20

        func items(_ client: ServerClient) async throws -> [JSONNode] {
            try await client.ownRentals(limit: limit)
        }

        static func table(_ items: [JSONNode]) -> String { ClubTables.rentals(items) }
    }

    struct Start: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "start",
            abstract: "Start a rental's time, which cannot be paused, and print the address of its title.")

        @OptionGroup var options: SessionOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "The ID of the rental.")
        var id: String

        func run() async throws {
            let rental = try await options.withClient { try await $0.activateRental(id) }
            output.print(rental, "\(rental.text("playlist")) until \(rental.text("endsAt"))")
        }
    }
}
