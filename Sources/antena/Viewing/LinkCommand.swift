import APIClient
import APIContract
import APIDeclarations
import ArgumentParser

struct LinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Create, list and revoke expiring links with which anyone can watch a channel or title.",
        subcommands: [Create.self, ListCommand<List>.self, EachCommand<Revoke>.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "create", abstract: "Create a link and print it.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "The path it opens, such as /live/canalA.stream/playlist.m3u8 or /vod/film/playlist.m3u8.")
        var path: String

        @Option(help: "Its name in the list of links. (default: the path)")
        var name: String?

        @Option(help: "Hours until the link expires.")
        var hours: Int = 24

        func validate() throws {
            guard (1...Self.maximumHours).contains(hours) else {
                throw ValidationError("--hours must be a number from 1 to \(Self.maximumHours)")
            }
        }

        /// A year and a day.
        private static let maximumHours = 366 * 24

        func run() async throws {
            let link = try await options.withClient {
                try await $0.createLink(to: path, name: name, seconds: hours * 3_600)
            }
            // Without --public-url the server knows only the path.
            output.print(field: "link", link.hasPrefix("/") ? "\(options.server)\(link)" : link)
        }
    }

    struct List: ListedItems {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List links, newest first, with those that ended less than 30 days ago.")
        static let nothing = "no links"

        func items(_ client: ServerClient) async throws -> [APIObject<MediaLinkFields>] { try await client.links() }
    }

    struct Revoke: NamedItems {
        static let configuration = CommandConfiguration(commandName: "revoke", abstract: "Revoke links.")
        static let result = "revoked"

        @Argument(help: "IDs of links.")
        var ids: [String]

        func apply(to id: String, _ client: ServerClient) async throws { try await client.revokeLink(id) }
    }
}
