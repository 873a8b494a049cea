import APIClient
import ArgumentParser

/// A command that prints a collection and what is in it, as a table with a heading or as JSON.
struct ShowCollectionCommand<Wanted: ShownCollection>: AsyncParsableCommand {
    static var configuration: CommandConfiguration { Wanted.configuration }

    @OptionGroup var options: Wanted.Source
    @OptionGroup var wanted: Wanted
    @OptionGroup var output: TableOutput

    func run() async throws {
        let (collection, items) = try await options.withAccess { access in
            (try await wanted.collection(access), try await wanted.items(access))
        }
        output.show(collection, heading: Wanted.heading(collection), Wanted.member, items) {
            ObjectTable.text($0, nothing: Wanted.nothing)
        }
    }
}
