import APIClient
import APIContract
import APIDeclarations
import ArgumentParser

struct MeSessionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "List and end the sessions of your account.",
        subcommands: [ListCommand<List>.self, End.self])

    struct List: ListedItems {
        typealias Server = SessionOptions

        static let configuration = CommandConfiguration(commandName: "list", abstract: "List your sessions.")
        static let nothing = "no sessions"

        func items(_ client: ServerClient) async throws -> [APIObject<SessionFields>] {
            try await client.ownSessions()
        }

        static func table(_ items: [APIObject<SessionFields>]) -> String {
            AccountTables.sessions(items, nothing: nothing)
        }
    }

    struct End: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "end", abstract: "End sessions of your account.")

        @OptionGroup var options: SessionOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "IDs of sessions.")
        var ids: [String] = []

        @Flag(help: "End all sessions but this one.")
        var others = false

        func validate() throws {
            guard others == ids.isEmpty else { throw ValidationError("Give either IDs or --others.") }
        }

        func run() async throws {
            guard others else {
                return try await options.withEach(ids, output, "ended") { try await $0.endOwnSession($1) }
            }
            try await options.withClient { try await $0.endOwnSession(nil) }
            output.print("others", "ended")
        }
    }
}
