import APIClient
import APIContract
import APIDeclarations
import ArgumentParser

struct RelayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relay",
        abstract: "Show, start and stop the source of a running server's channel, and its copies.",
        discussion: """
            They are configured as "source" and "restreams" of the channel: \
            antena channel set canalA --set source=rtsp://camera/stream
            """,
        subcommands: [ListCommand<List>.self, EachCommand<Start>.self, EachCommand<Stop>.self])

    struct List: ListedItems {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the source and the copies of a channel.")
        static let nothing = "no relays"

        @Argument(help: "The channel's name.")
        var channel: String

        func items(_ client: ServerClient) async throws -> [APIObject<RelayFields>] {
            try await client.relays(ofChannel: channel)
        }
    }

    struct Start: NamedItems {
        static let configuration = CommandConfiguration(commandName: "start", abstract: "Start relays.")
        static let result = "started"

        @Argument(help: "The channel's name.")
        var channel: String

        @Argument(help: "IDs of relays: source, restream-1, …")
        var ids: [String]

        func apply(to id: String, _ client: ServerClient) async throws {
            try await client.setRelay(id, ofChannel: channel, isStarted: true)
        }
    }

    struct Stop: NamedItems {
        static let configuration = CommandConfiguration(
            commandName: "stop", abstract: "Stop relays until they are started, or the server is.")
        static let result = "stopped"

        @Argument(help: "The channel's name.")
        var channel: String

        @Argument(help: "IDs of relays: source, restream-1, …")
        var ids: [String]

        func apply(to id: String, _ client: ServerClient) async throws {
            try await client.setRelay(id, ofChannel: channel, isStarted: false)
        }
    }
}
