import APIClient
import APIContract
import APIDeclarations
import ArgumentParser

struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Create, list and change accounts of a running server.",
        discussion: "Passwords are read from the terminal or from standard input.",
        subcommands: [
            Add.self, ListCommand<List>.self, SetRole.self, Password.self, EachCommand<Remove>.self, Approve.self,
            Suspend.self, Restore.self,
            Grant.self, EachCommand<SecondFactor>.self,
        ])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "add", abstract: "Create an account.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "The username.")
        var name: String

        @Option(help: "viewer, member, broadcaster, moderator, operator or administrator.")
        var role = "member"

        @Option(help: "The e-mail address.")
        var email: String?

        func run() async throws {
            let password = try PasswordInput.read()
            let user = try await options.withClient {
                try await $0.createUser(name, role: role, email: email, password: password)
            }
            output.print(user, "\(user.username ?? "-"): \(user.role ?? "-"), \(user.state?.content ?? "-")")
        }
    }

    struct List: ListedItems {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List accounts in the order of their names.")
        static let nothing = "no accounts"

        func items(_ client: ServerClient) async throws -> [APIObject<AccountFields>] { try await client.users() }
    }

    struct SetRole: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "role", abstract: "Change the role of an account; it takes effect at once.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "The username or e-mail address.")
        var name: String

        @Argument(help: "viewer, member, broadcaster, moderator, operator or administrator.")
        var role: String

        func run() async throws {
            let user = try await options.withClient { try await $0.changeUser(name, role: role) }
            output.print(user, "\(user.username ?? "-"): \(user.role ?? "-")")
        }
    }

    struct Password: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "password",
            abstract: "Set the password of an account and end its sessions, or create a reset link for its owner.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "The username or e-mail address.")
        var name: String

        @Flag(help: "Print a link that is valid once, within an hour.")
        var link = false

        func run() async throws {
            guard !link else {
                return output.print(
                    field: "link", try await options.withClient { try await $0.passwordLink(for: name) })
            }
            let password = try PasswordInput.read()
            let user = try await options.withClient { try await $0.changeUser(name, password: password) }
            output.print(user, "\(user.username ?? "-"): password changed, sessions ended")
        }
    }

    struct Remove: NamedItems {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Delete accounts with their sessions and tokens.")
        static let result = "removed"

        @Argument(help: "Usernames or e-mail addresses.")
        var names: [String]

        var ids: [String] { names }

        func apply(to id: String, _ client: ServerClient) async throws { try await client.removeUser(id) }
    }

    /// The arguments of subcommands that change the state of accounts.
    struct Targets: ParsableArguments {
        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "Usernames or e-mail addresses.")
        var names: [String]

        /// - Parameter seconds: the time for which accounts are suspended; `nil` for no end, and for other states.
        func set(_ state: String, for seconds: Int? = nil) async throws {
            try await options.withClient { client in
                for name in names {
                    let user = try await client.setUserState(name, state, for: seconds)
                    let end = user.suspendedUntil.map { " until \($0.text)" } ?? ""
                    output.print(user, "\(user.username ?? "-"): \(user.state?.content ?? "-")\(end)")
                }
            }
        }
    }

    struct Approve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "approve", abstract: "Approve accounts that are waiting for approval.")

        @OptionGroup var targets: Targets

        func run() async throws { try await targets.set("active") }
    }

    struct Suspend: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "suspend",
            abstract: "Suspend accounts, for a time or without end; their sessions and tokens stop working at once.")

        @OptionGroup var targets: Targets
        @OptionGroup var end: SuspensionOptions

        func run() async throws { try await targets.set("suspended", for: try end.seconds()) }
    }

    struct Restore: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "restore", abstract: "Restore suspended accounts.")

        @OptionGroup var targets: Targets

        func run() async throws { try await targets.set("active") }
    }

    struct Grant: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "grant",
            abstract: "Grant an account permissions on a channel beyond its role.",
            discussion: "Without permissions, the grant is removed.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "The username or e-mail address.")
        var name: String

        @Argument(help: "The channel.")
        var channel: String

        @Argument(help: "read, publish, record, score.")
        var permissions: [String] = []

        func run() async throws {
            let user = try await options.withClient {
                try await $0.grant(permissions, onChannel: channel, to: name)
            }
            let names = permissions.isEmpty ? "nothing" : permissions.joined(separator: ", ")
            output.print(user, "\(name): \(names) on \(channel)")
        }
    }

    struct SecondFactor: NamedItems {
        static let configuration = CommandConfiguration(
            commandName: "remove-second-factor",
            abstract: "Remove the second factor of accounts, such as after a lost phone.")
        static let result = "second factor removed"

        @Argument(help: "Usernames or e-mail addresses.")
        var names: [String]

        var ids: [String] { names }

        func apply(to id: String, _ client: ServerClient) async throws { try await client.removeSecondFactor(of: id) }
    }
}
