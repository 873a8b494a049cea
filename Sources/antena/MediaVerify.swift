import APIClient
import ArgumentParser

struct MediaVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Compare the files in the media store with what was put there.",
        discussion: "The exit status is 1 if a file is missing or differs.")

    @Flag(help: "Read all of each file and compare its checksum; otherwise size and version are compared.")
    var read = false

    @OptionGroup var options: ServerOptions

    func run() async throws {
        let problemCount = try await options.withClient { client in
            try await client.verifyMedia(readsContent: read) { print($0) }
        }
        if problemCount > 0 { throw ExitCode.failure }
    }
}
