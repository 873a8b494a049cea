import APIClient
import ArgumentParser
import JSONDocument

struct SupportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "support", abstract: "Read and delete support messages.",
        subcommands: [ListCommand<List>.self, Show.self, EachCommand<Delete>.self])

    struct List: ListedItems {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List messages, newest first.")

        @Option(help: "Number of messages.")
        var limit = 20

        func items(_ client: ServerClient) async throws -> [JSONNode] {
            try await client.supportMessages(limit: limit)
        }

        static func table(_ items: [JSONNode]) -> String { SupportTables.messages(items) }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a message.")

        @OptionGroup var options: ServerOptions

        @Argument(help: "The ID of the message.")
        var id: String

        @Flag(help: "Print JSON instead of text.")
        var json = false

        func run() async throws {
            let message = try await options.withClient { try await $0.supportMessage(id) }
            guard !json else { return print(JSONText(message).rendered) }
            print("\(message.text("subject"))\n\(message.text("sender")), \(message.text("sentAt"))\n")
            print(message.text("text"))
        }
    }

    struct Delete: NamedItems {
        static let configuration = CommandConfiguration(commandName: "delete", abstract: "Delete messages.")
        static let result = "deleted"

        @Argument(help: "IDs of messages.")
        var ids: [String]

        func apply(to id: String, _ client: ServerClient) async throws { try await client.deleteSupportMessage(id) }
    }
}
