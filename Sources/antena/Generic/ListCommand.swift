import ArgumentParser

/// A command that prints a list as a table or as JSON.
struct ListCommand<Wanted: ListedItems>: AsyncParsableCommand {
    static var configuration: CommandConfiguration { Wanted.configuration }

    @OptionGroup var options: Wanted.Source
    @OptionGroup var wanted: Wanted
    @OptionGroup var output: TableOutput

    func run() async throws {
        output.show(try await options.withAccess { try await wanted.items($0) }, Wanted.table)
    }
}
