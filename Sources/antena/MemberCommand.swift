import APIClient
import ArgumentParser
import JSONDocument

struct MemberCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "member", abstract: "Find members of the community.", subcommands: [List.self, Show.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List members by their usernames.")

        @OptionGroup var options: ServerOptions

        @Option(help: "Only members whose usernames begin with this text.")
        var search: String?

        @Option(help: "Number of members.")
        var limit = 20

        @Flag(help: "Print JSON instead of a table.")
        var json = false

        func run() async throws {
            let members = try await options.withClient { try await $0.members(matching: search, limit: limit) }
            print(json ? JSONText.array(members.map(JSONText.init)).rendered : CommunityTables.members(members))
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
