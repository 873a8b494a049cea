import APIClient
import APIContract
import APIDeclarations
import ArgumentParser

struct InvitationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invitation",
        abstract: "Create, list and revoke sign-up links of a running server.",
        subcommands: [Add.self, ListCommand<List>.self, EachCommand<Remove>.self])

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
            let link = invitation.link ?? "-"
            // Without --public-url the server knows only the path.
            output.print(invitation, link.hasPrefix("/") ? "\(options.server)\(link)" : link)
        }
    }

    struct List: ListedItems {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List invitations that can still be used.")
        static let nothing = "no invitations"

        func items(_ client: ServerClient) async throws -> [APIObject<OneTimeLinkFields>] {
            try await client.invitations()
        }
    }

    struct Remove: NamedItems {
        static let configuration = CommandConfiguration(commandName: "remove", abstract: "End invitations.")
        static let result = "removed"

        @Argument(help: "IDs of invitations.")
        var ids: [String]

        func apply(to id: String, _ client: ServerClient) async throws { try await client.removeInvitation(id) }
    }
}
