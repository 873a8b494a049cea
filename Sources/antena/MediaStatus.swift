import APIClient
import ArgumentParser

struct MediaStatus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show how many files lie in the media store, and what is being moved.")

    @OptionGroup var options: ServerOptions

    func run() async throws {
        print(try await options.withClient { try await $0.mediaStore().text })
    }
}
