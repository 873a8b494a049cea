import ArgumentParser

/// A command that deletes, removes or revokes things, and says so after each.
struct EachCommand<Targets: NamedItems>: AsyncParsableCommand {
    static var configuration: CommandConfiguration { Targets.configuration }

    @OptionGroup var options: Targets.Source
    @OptionGroup var output: ResultOutput
    @OptionGroup var targets: Targets

    func run() async throws {
        try await options.withAccess { access in
            for name in targets.ids {
                let id = try await targets.id(of: name, access)
                try await targets.apply(to: id, access)
                output.print(id, Targets.result)
            }
        }
    }
}
