import APIClient
import ArgumentParser
import JSONDocument

/// `antena title genres`.
struct Genres: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "genres",
        abstract: "List the genres of the titles that can be played.")

    @OptionGroup var options: ServerOptions

    @Flag(help: "Print JSON instead of one line for each.")
    var json = false

    func run() async throws {
        let genres = try await options.withClient { try await $0.genres() }
        print(json ? JSONText.array(genres.map(JSONText.string)).rendered : genres.joined(separator: "\n"))
    }
}
