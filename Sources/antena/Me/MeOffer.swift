import APIClient
import ArgumentParser

struct MeOffer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "offer", abstract: "Show a title's price and your rental of it.")

    @OptionGroup var options: SessionOptions
    @OptionGroup var output: ResultOutput

    @Argument(help: "The title's ID.")
    var title: String

    func run() async throws {
        let offer = try await options.withClient { try await $0.offer(of: title) }
        output.print(offer, ClubTables.offer(offer))
    }
}
