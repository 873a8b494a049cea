import APIClient
import ArgumentParser

struct MediaStatus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the number of files in the media store and the progress of a move.")

    @OptionGroup var options: ServerOptions

    @OptionGroup var output: ResultOutput

    func run() async throws {
        let store = try await options.withClient { try await $0.mediaStore() }
        output.print(store.answer, store.text)
    }
}
