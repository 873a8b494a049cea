import APIClient
import APIContract
import APIDeclarations
import ArgumentParser

struct MeRentalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rental", abstract: "List and activate your rentals.",
        subcommands: [ListCommand<List>.self, Start.self])

    struct List: ListedItems {
        typealias Source = SessionOptions

        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List your rentals, newest first.")
        static let nothing = "no rentals"

        @Option(help: "Number of rentals.")
        var limit = 20

        func items(_ client: ServerClient) async throws -> [APIObject<RentalFields>] {
            try await client.ownRentals(limit: limit)
        }

        static func table(_ items: [APIObject<RentalFields>]) -> String {
            ClubTables.rentals(items, nothing: nothing)
        }
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
            output.print(rental, "\(rental.playlist ?? "-") until \(rental.endsAt?.text ?? "-")")
        }
    }
}
