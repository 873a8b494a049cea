import ArgumentParser
import Gateway

struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Delete titles of a running server, with their files.",
        discussion: "The file in the media folder, or the recording, and what was made of it; nothing else.")

    @OptionGroup var options: ServerOptions

    @Argument(help: "Ids of titles: what stands between /vod/ and /playlist.m3u8.")
    var titles: [String]

    func run() async throws {
        do {
            try await ServerClient.with(server: options.server) { client in
                for title in titles {
                    try await client.deleteTitle(id: title)
                    print("\(title): deleted")
                }
            }
        } catch let error as ServerClientError {
            throw CommandFailure(error.description)
        }
    }
}
