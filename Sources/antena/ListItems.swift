import APIClient
import ArgumentParser
import JSONDocument

/// `antena track list`.
struct ListItems<Kind: ItemKind>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "list", abstract: "List or search \(Kind.noun)s.")
    }

    @OptionGroup var options: ServerOptions
    @OptionGroup var list: ListOptions

    func run() async throws {
        let items = try await options.withClient {
            try await $0.items(
                of: Kind.section,
                ServerClient.ListRequest(words: list.search, order: list.sort, state: list.state), limit: list.limit)
        }
        print(list.json ? JSONText.array(items.map(JSONText.init)).rendered : Kind.table(items))
    }
}
