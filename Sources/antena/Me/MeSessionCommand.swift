import APIClient
import APIContract
import APIDeclarations
import ArgumentParser

struct MeSessionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "List and end the sessions of your account.",
        subcommands: [ListCommand<List>.self, EachCommand<End>.self])

    struct List: ListedItems {
        typealias Source = SessionOptions

        static let configuration = CommandConfiguration(commandName: "list", abstract: "List your sessions.")
        static let nothing = "no sessions"

        func items(_ client: ServerClient) async throws -> [APIObject<SessionFields>] {
            try await client.ownSessions()
        }

        static func table(_ items: [APIObject<SessionFields>]) -> String {
            AccountTables.sessions(items, nothing: nothing)
        }
    }

    struct End: NamedItems {
        typealias Source = SessionOptions

        static let configuration = CommandConfiguration(commandName: "end", abstract: "End sessions of your account.")
        static let result = "ended"

        @Argument(help: "IDs of sessions.")
        var sessions: [String] = []

        @Flag(help: "End all sessions but this one.")
        var others = false

        func validate() throws {
            guard others == sessions.isEmpty else { throw ValidationError("Give either IDs or --others.") }
        }

        var ids: [String] { others ? ["others"] : sessions }

        func apply(to id: String, _ client: ServerClient) async throws {
            try await client.endOwnSession(others ? nil : id)
        }
    }
}
