import APIClient
import ArgumentParser

/// A command that deletes, removes or revokes things, and says so after each.
struct EachCommand<Targets: NamedItems>: AsyncParsableCommand {
    static var configuration: CommandConfiguration { Targets.configuration }

    @OptionGroup var options: Targets.Server
    @OptionGroup var output: ResultOutput
    @OptionGroup var targets: Targets

    func run() async throws {
        try await options.withEach(targets.ids, output, Targets.result) { try await targets.apply(to: $1, $0) }
    }
}
