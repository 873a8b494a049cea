import APIClient
import ArgumentParser
import JSONDocument

struct InvitationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invitation",
        abstract: "Create, list and revoke sign-up links of a running server.",
        subcommands: [Add.self, List.self, Remove.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Create an invitation and print its link, which works once and is shown once.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ResultOutput

        @Option(
            help:
                "viewer, member, broadcaster, moderator, operator or administrator. (default: the role of new accounts)"
        )
        var role: String?

        @Option(help: "The e-mail address of the account that is made.")
        var email: String?

        func run() async throws {
            let invitation = try await options.withClient { try await $0.invite(role: role, email: email) }
            let link = invitation.text("link")
            // Without --public-url the server knows only the path.
            output.print(invitation, link.hasPrefix("/") ? "\(options.server)\(link)" : link)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List invitations that can still be used.")

        @OptionGroup var options: ServerOptions

        @Flag(help: "Print JSON instead of a table.")
        var json = false

        func run() async throws {
            let invitations = try await options.withClient { try await $0.invitations() }
            print(
                json
                    ? JSONText.array(invitations.map(JSONText.init)).rendered : AccountTables.invitations(invitations))
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "remove", abstract: "End invitations.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "IDs of invitations.")
        var ids: [String]

        func run() async throws {
            try await options.withEach(ids, output, "removed") { try await $0.removeInvitation($1) }
        }
    }
}
