import APIClient
import APIContract
import APIDeclarations
import ArgumentParser
import JSONDocument

struct MeVote: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "vote", abstract: "Vote for a title.")

    @OptionGroup var options: SessionOptions
    @OptionGroup var output: ResultOutput

    @Argument(help: "The title's ID.")
    var title: String

    @Argument(help: "1 to 10.")
    var rating: Int

    func run() async throws {
        let votes = try await options.withClient { try await $0.vote(rating, for: title) }
        let average: Double? = votes.average
        let text = average.map { JSONText.number($0).rendered } ?? "-"
        output.print(votes, "\(title): \(text) of 10, \(votes.count ?? 0) votes")
    }
}
