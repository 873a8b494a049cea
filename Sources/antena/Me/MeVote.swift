import APIClient
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
        output.print(votes, "\(title): \(votes.text("average")) of 10, \(votes.text("count")) votes")
    }
}
