import APIClient
import ArgumentParser
import JSONDocument

struct MeRentalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rental", abstract: "List and activate your rentals.", subcommands: [List.self, Start.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List your rentals, newest first.")

        @OptionGroup var options: SessionOptions

        @Option(help: "Number of rentals.")
        var limit = 20

        @Flag(help: "Print JSON instead of a table.")
        var json = false

        func run() async throws {
            let rentals = try await options.withClient { try await $0.ownRentals(limit: limit) }
            print(json ? JSONText.array(rentals.map(JSONText.init)).rendered : ClubTables.rentals(rentals))
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
            output.print(rental, "\(rental.text("playlist")) until \(rental.text("endsAt"))")
        }
    }
}
