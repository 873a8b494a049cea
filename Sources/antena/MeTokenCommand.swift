import APIClient
import ArgumentParser
import JSONDocument

struct MeTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Create, list and revoke your API tokens and app passwords.",
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Create a token and print its secret, which is shown only once.")

        @OptionGroup var options: SessionOptions
        @OptionGroup var output: ResultOutput
        @OptionGroup var wanted: TokenOptions

        func run() async throws {
            let token = try await options.withClient { try await wanted.create(for: nil, $0) }
            output.print(token, token.text("secret"))
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List your tokens.")

        @OptionGroup var options: SessionOptions

        @Flag(help: "Print JSON instead of a table.")
        var json = false

        func run() async throws {
            let tokens = try await options.withClient { try await $0.tokens(of: nil) }
            print(json ? JSONText.array(tokens.map(JSONText.init)).rendered : AccountTables.tokens(tokens))
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "revoke", abstract: "Revoke your tokens.")

        @OptionGroup var options: SessionOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "IDs of tokens.")
        var ids: [String]

        func run() async throws {
            try await options.withEach(ids, output, "revoked") { try await $0.revokeToken($1, of: nil) }
        }
    }
}
