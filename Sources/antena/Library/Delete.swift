import APIClient
import ArgumentParser
import Gateway

struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete titles of a running server and their files.",
        discussion: "Deletes the file in the media folder, or the recording, and everything derived from it.")

    @OptionGroup var options: ServerOptions
    @OptionGroup var output: ResultOutput

    @Argument(help: "IDs of titles, or their files in the media folder.")
    var titles: [String]

    func run() async throws {
        try await options.withClient { client in
            for title in titles {
                try await client.deleteTitle(id: try await client.titleID(title))
                output.print(title, "deleted")
            }
        }
    }
}
