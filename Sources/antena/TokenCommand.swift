import APIClient
import ArgumentParser
import JSONDocument

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Create, list and revoke API tokens and app passwords of a running server's accounts.",
        subcommands: [Create.self, List.self, Revoke.self])

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
            output.print(token, token.text("secret"))
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the tokens of an account.")

        @OptionGroup var options: ServerOptions

        @Argument(help: "The username or e-mail address of their owner.")
        var user: String

        @Flag(help: "Print JSON instead of a table.")
        var json = false

        func run() async throws {
            let tokens = try await options.withClient { try await $0.tokens(of: user) }
            print(json ? JSONText.array(tokens.map(JSONText.init)).rendered : AccountTables.tokens(tokens))
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "revoke", abstract: "Revoke tokens of an account.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "The username or e-mail address of their owner.")
        var user: String

        @Argument(help: "IDs of tokens.")
        var ids: [String]

        func run() async throws {
            try await options.withEach(ids, output, "revoked") { try await $0.revokeToken($1, of: user) }
        }
    }
}
