import APIClient
import APIContract
import APIDeclarations
import ArgumentParser

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Create, list and revoke API tokens and app passwords of a running server's accounts.",
        subcommands: [Create.self, ListCommand<List>.self, EachCommand<Revoke>.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Create a token and print its secret, which is shown only once.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "The username or e-mail address of its owner.")
        var user: String

        @OptionGroup var wanted: TokenOptions

        func run() async throws {
            let token = try await options.withClient { try await wanted.create(for: user, $0) }
            output.print(token, token.secret ?? "-")
        }
    }

    struct List: ListedItems {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the tokens of an account.")
        static let nothing = "no tokens"

        @Argument(help: "The username or e-mail address of their owner.")
        var user: String

        func items(_ client: ServerClient) async throws -> [APIObject<TokenFields>] {
            try await client.tokens(of: user)
        }

        static func table(_ items: [APIObject<TokenFields>]) -> String {
            AccountTables.tokens(items, nothing: nothing)
        }
    }

    struct Revoke: NamedItems {
        static let configuration = CommandConfiguration(commandName: "revoke", abstract: "Revoke tokens of an account.")
        static let result = "revoked"

        @Argument(help: "The username or e-mail address of their owner.")
        var user: String

        @Argument(help: "IDs of tokens.")
        var ids: [String]

        func apply(to id: String, _ client: ServerClient) async throws { try await client.revokeToken(id, of: user) }
    }
}
