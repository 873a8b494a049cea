import APIClient
import ArgumentParser
import JSONDocument

struct SupportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "support", abstract: "Read and delete support messages.",
        subcommands: [List.self, Show.self, Delete.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List messages, newest first.")

        @OptionGroup var options: ServerOptions

        @Option(help: "Number of messages.")
        var limit = 20

        @Flag(help: "Print JSON instead of a table.")
        var json = false

        func run() async throws {
            let messages = try await options.withClient { try await $0.supportMessages(limit: limit) }
            print(json ? JSONText.array(messages.map(JSONText.init)).rendered : SupportTables.messages(messages))
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
            guard !json else { return print(JSONText(message).rendered) }
            print("\(message.text("subject"))\n\(message.text("sender")), \(message.text("sentAt"))\n")
            print(message.text("text"))
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "delete", abstract: "Delete messages.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "IDs of messages.")
        var ids: [String]

        func run() async throws {
            try await options.withEach(ids, output, "deleted") { try await $0.deleteSupportMessage($1) }
        }
    }
}
