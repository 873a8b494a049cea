import APIClient
import ArgumentParser
import Gateway

struct Reload: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Make a running server reload channels.json.",
        discussion: """
            Channels, presets and publishers are added, changed and removed; publishers and viewers of channels that \
            stay are not interrupted. If the file has a mistake, nothing changes and the exit status is 1. SIGHUP has \
            the same effect.
            """)

    @OptionGroup var options: ServerOptions
    @OptionGroup var output: ChangeOutput

    func run() async throws {
        output.print(try await options.withClient { try await $0.reload() })
    }
}
