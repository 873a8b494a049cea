import APIClient
import APIContract
import APIDeclarations
import ArgumentParser

struct MemberCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "member", abstract: "Find members of the community.",
        subcommands: [ListCommand<List>.self, Show.self])

    struct List: ListedItems {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List members by their usernames.")
        static let nothing = "no members"

        @Option(help: "Only members whose usernames begin with this text.")
        var search: String?

        @Option(help: "Number of members.")
        var limit = 20

        func items(_ client: ServerClient) async throws -> [APIObject<ListedMemberFields>] {
            try await client.members(matching: search, limit: limit)
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Show the profile of a member.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "The username.")
        var name: String

        func run() async throws {
            let profile = try await options.withClient { try await $0.memberProfile(name) }
            output.print(profile, CommunityTables.profile(profile))
        }
    }
}
