import APIClient
import ArgumentParser
import JSONDocument

struct RentalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rental", abstract: "List and refund rentals of a running server's members.",
        subcommands: [List.self, Show.self, Refund.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the rentals of a member, newest first.")

        @OptionGroup var options: ServerOptions

        @Argument(help: "The member's username or e-mail address.")
        var user: String

        @Option(help: "Number of rentals.")
        var limit = 20

        @Flag(help: "Print JSON instead of a table.")
        var json = false

        func run() async throws {
            let rentals = try await options.withClient { try await $0.rentals(of: user, limit: limit) }
            print(json ? JSONText.array(rentals.map(JSONText.init)).rendered : ClubTables.rentals(rentals))
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a rental.")

        @OptionGroup var options: ServerOptions

        @Argument(help: "The ID of the rental.")
        var id: String

        @Flag(help: "Print JSON instead of a table.")
        var json = false

        func run() async throws {
            let rental = try await options.withClient { try await $0.rental(id) }
            print(json ? JSONText(rental).rendered : ClubTables.rentals([rental]))
        }
    }

    struct Refund: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "refund",
            abstract: "Refund rentals, and end them.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "IDs of rentals.")
        var ids: [String]

        @Option(help: "A text for the member and the operator.")
        var note: String?

        func run() async throws {
            try await options.withClient { client in
                for id in ids {
                    let rental = try await client.refundRental(id, note: note)
                    output.print(rental, "\(id): \(rental.text("price")) credits given back")
                }
            }
        }
    }
}
