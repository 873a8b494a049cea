import ArgumentParser
import Gateway

struct Reload: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Have a running server read channels.json again.",
        discussion: """
            Channels, presets and publishers appear, change and go; pushes and viewers of channels that stay are not \
            touched. If the file has a mistake, nothing changes, and the status is 1. SIGHUP does the same.
            """)

    @OptionGroup var options: ServerOptions

    func run() async throws {
        print(try await options.withClient { try await $0.reload().text })
    }
}
