import APIClient
import APIContract
import APIDeclarations
import ArgumentParser

struct RentalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rental", abstract: "List and refund rentals of a running server's members.",
        subcommands: [ListCommand<List>.self, ShowCommand<Show>.self, Refund.self])

    struct List: ListedItems {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the rentals of a member, newest first.")
        static let nothing = "no rentals"

        @Argument(help: "The member's username or e-mail address.")
        var user: String

        @Option(help: "Number of rentals.")
        var limit = 20

        func items(_ client: ServerClient) async throws -> [APIObject<RentalFields>] {
            try await client.rentals(of: user, limit: limit)
        }

        static func table(_ items: [APIObject<RentalFields>]) -> String {
            ClubTables.rentals(items, nothing: nothing)
        }
    }

    struct Show: ShownItem {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a rental.")

        @Argument(help: "The ID of the rental.")
        var id: String

        func item(_ client: ServerClient) async throws -> APIObject<RentalFields> { try await client.rental(id) }

        static func text(_ item: APIObject<RentalFields>) -> String { List.table([item]) }
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
                    output.print(rental, "\(id): \(rental.price ?? 0) credits given back")
                }
            }
        }
    }
}
