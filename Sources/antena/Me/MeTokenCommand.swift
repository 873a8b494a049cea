import APIClient
import APIContract
import APIDeclarations
import ArgumentParser

struct MeTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Create, list and revoke your API tokens and app passwords.",
        subcommands: [Create.self, ListCommand<List>.self, EachCommand<Revoke>.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Create a token and print its secret, which is shown only once.")

        @OptionGroup var options: SessionOptions
        @OptionGroup var output: ResultOutput
        @OptionGroup var wanted: TokenOptions

        func run() async throws {
            let token = try await options.withClient { try await wanted.create(for: nil, $0) }
            output.print(token, token.secret ?? "-")
        }
    }

    struct List: ListedItems {
        typealias Source = SessionOptions

        static let configuration = CommandConfiguration(commandName: "list", abstract: "List your tokens.")
        static let nothing = "no tokens"

        func items(_ client: ServerClient) async throws -> [APIObject<TokenFields>] {
            try await client.tokens(of: nil)
        }

        static func table(_ items: [APIObject<TokenFields>]) -> String {
            AccountTables.tokens(items, nothing: nothing)
        }
    }

    struct Revoke: NamedItems {
        typealias Source = SessionOptions

        static let configuration = CommandConfiguration(commandName: "revoke", abstract: "Revoke your tokens.")
        static let result = "revoked"

        @Argument(help: "IDs of tokens.")
        var ids: [String]

        func apply(to id: String, _ client: ServerClient) async throws { try await client.revokeToken(id, of: nil) }
    }
}
