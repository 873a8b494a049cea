import APIClient
import APIContract
import ArgumentParser
import JSONDocument

/// A command that prints one thing as text or as JSON.
struct ShowCommand<Wanted: ShownItem>: AsyncParsableCommand {
    static var configuration: CommandConfiguration { Wanted.configuration }

    @OptionGroup var options: Wanted.Source
    @OptionGroup var wanted: Wanted

    @Flag(help: "Print JSON instead of text.")
    var json = false

    func run() async throws {
        let item = try await options.withAccess { try await wanted.item($0) }
        print(json ? item.json.rendered : Wanted.text(item))
    }
}
