import APIClient
import APIContract
import APIDeclarations
import ArgumentParser
import Foundation

struct MeRent: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rent", abstract: "Rent a title with your credits.",
        discussion: "\"antena me offer TITLE\" shows its price.")

    @OptionGroup var options: SessionOptions
    @OptionGroup var output: ResultOutput

    @Argument(help: "The title's ID.")
    var title: String

    @Option(
        help: ArgumentHelp(
            "Idempotency key: repetitions with the same key rent nothing more. (default: a new one)", valueName: "text")
    )
    var key: String?

    func run() async throws {
        let outcome = try await options.withClient { try await $0.rent(title, key: key ?? UUID().uuidString) }
        output.print(
            outcome, "\(outcome.rental?.id ?? "-"): \(title) rented, \(outcome.balance ?? 0) credits are left")
    }
}
