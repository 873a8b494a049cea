import APIClient
import APIContract
import APIDeclarations
import ArgumentParser
import JSONDocument

struct SupportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "support", abstract: "Read and delete support messages.",
        subcommands: [ListCommand<List>.self, Show.self, EachCommand<Delete>.self])

    struct List: ListedItems {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List messages, newest first.")
        static let nothing = "no messages"

        @Option(help: "Number of messages.")
        var limit = 20

        func items(_ client: ServerClient) async throws -> [APIObject<SupportMessageFields>] {
            try await client.supportMessages(limit: limit)
        }
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
            guard !json else { return print(message.json.rendered) }
            print("\(message.subject ?? "-")\n\(message.sender ?? "-"), \(message.sentAt?.text ?? "-")\n")
            print(message.text ?? "-")
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
