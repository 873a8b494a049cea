import APIClient
import APIContract
import APIDeclarations
import ArgumentParser
import JSONDocument

struct TermsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "terms", abstract: "Show or change a title's rental terms.",
        discussion: """
            A title with a price has to be rented before it can be watched; operators watch it without. Rentals that were \
            made before a change keep their terms.
            """)

    @OptionGroup var options: ServerOptions

    @Argument(help: "The title's ID or file.")
    var title: String

    @Option(help: "Price of a rental in credits; 0 if it is free.")
    var price: Int?

    @Option(help: "The regular price in credits, which makes the price an offer; 0 for no offer.")
    var regularPrice: Int?

    @Flag(inversion: .prefixedNo, help: "Whether the title is recommended in lists.")
    var featured: Bool?

    @Option(help: "Minutes in which a rental has to be activated; 0 for no limit.")
    var minutesToStart: Int?

    @Option(help: "Minutes for which an activated rental can be watched; 0 for the time of channels.json.")
    var minutesToPlay: Int?

    @Option(help: "The ID of the title that is its trailer; empty for none.")
    var trailer: String?

    @Flag(inversion: .prefixedNo, help: "Whether a title without a price also has to be rented.")
    var freeRental: Bool?

    @Flag(help: "Print JSON instead of a table.")
    var json = false

    func run() async throws {
        func value(_ number: Int) -> Int? { number == 0 ? nil : number }
        let change = TermsChangeFields.request { change in
            [
                price.map { change.price($0) }, regularPrice.map { change.regularPrice(value($0)) },
                featured.map { change.featured($0) }, freeRental.map { change.asksForFreeRental($0) },
                minutesToStart.map { change.minutesToStart(value($0)) },
                minutesToPlay.map { change.minutesToPlay(value($0)) },
                trailer.map { change.trailer($0.isEmpty ? nil : $0) },
            ]
        }
        let terms = try await options.withClient { client in
            let id = try await client.titleID(title)
            guard change.json != .object([]) else { return try await client.terms(of: id) }
            return try await client.changeTerms(of: id, change)
        }
        print(json ? terms.json.rendered : ClubTables.terms(terms))
    }
}
