import APIClient
import APIContract
import APIDeclarations
import ArgumentParser

struct PublishLinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish-link",
        abstract: "Create, list and revoke links for pushing to a channel.",
        subcommands: [Create.self, ListCommand<List>.self, EachCommand<Revoke>.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Create a link and print it; it is shown once.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "The channel's name, such as canalA.")
        var channel: String

        @Option(help: "Its name in the list of links. (default: the channel)")
        var name: String?

        @Option(help: "Hours until the link expires.")
        var hours: Int = 24

        func validate() throws {
            guard (1...Self.maximumHours).contains(hours) else {
                throw ValidationError("--hours must be a number from 1 to \(Self.maximumHours)")
            }
        }

        private static let maximumHours = 31 * 24

        func run() async throws {
            output.print(
                field: "link",
                try await options.withClient {
                    try await $0.createPublishLink(to: channel, name: name, seconds: hours * 3_600)
                })
        }
    }

    struct List: ListedItems {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List a channel's links, newest first, with those that ended less than 30 days ago.")
        static let nothing = "no links"

        @Argument(help: "The channel's name.")
        var channel: String

        func items(_ client: ServerClient) async throws -> [APIObject<PublishLinkFields>] {
            try await client.publishLinks(of: channel)
        }
    }

    struct Revoke: NamedItems {
        static let configuration = CommandConfiguration(commandName: "revoke", abstract: "Revoke links.")
        static let result = "revoked"

        @Argument(help: "The channel's name.")
        var channel: String

        @Argument(help: "IDs of links.")
        var ids: [String]

        func apply(to id: String, _ client: ServerClient) async throws {
            try await client.revokePublishLink(id, of: channel)
        }
    }
}
