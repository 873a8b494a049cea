import APIClient
import APIContract
import APIDeclarations
import ArgumentParser
import Foundation

struct CreditsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credits", abstract: "Give credits to members of a running server, and show their history.",
        subcommands: [Add.self, Show.self, Reverse.self, Check.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "add", abstract: "Give credits to a member.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "The member's username or e-mail address.")
        var user: String

        @Argument(help: "The number of credits.")
        var amount: Int

        @Option(help: "top-up, payment or gift.")
        var reason = "top-up"

        @Option(help: "A text for the member and the operator.")
        var note: String?

        @Option(
            help: ArgumentHelp(
                "The time after which unspent credits of a gift expire, such as 90d, 12h or 30m. (default: never)",
                valueName: "time"))
        var expires: TimeOption?

        @Option(
            help: ArgumentHelp(
                "Idempotency key: repetitions with the same key give nothing more. (default: a new one)",
                valueName: "text"))
        var key: String?

        func run() async throws {
            let movement = try await options.withClient {
                try await $0.addCredits(
                    amount, to: user, reason: reason, note: note, expiresIn: expires?.seconds,
                    key: key ?? UUID().uuidString)
            }
            output.print(movement, "\(user): \(movement.balance ?? 0) credits")
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show a member's credits and their movements.")

        @OptionGroup var options: ServerOptions

        @Argument(help: "The member's username or e-mail address.")
        var user: String

        @OptionGroup var output: CreditOutput

        func run() async throws {
            guard !output.csv else {
                return try await options.withClient { client in
                    try await client.creditHistory(of: user) {
                        try FileHandle.standardOutput.write(contentsOf: Data($0))
                    }
                }
            }
            let (balance, movements) = try await options.withClient { client in
                (try await client.balance(of: user), try await client.movements(of: user, limit: output.limit))
            }
            output.print(balance.balance, balance.expiring, movements, of: user)
        }
    }

    struct Reverse: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reverse",
            abstract: "Take back credits that were given by mistake, with a counter-entry.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "The ID of the movement.")
        var movement: String

        @Option(help: "A text for the member and the operator.")
        var note: String?

        func run() async throws {
            let entry = try await options.withClient {
                try await $0.reverseCredits(movement, note: note, key: "reverse-\(movement)")
            }
            output.print(entry, "\(movement): taken back, \(entry.balance ?? 0) credits are left")
        }
    }

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Check the ledger against its own rules, and print inconsistencies.",
            discussion: "The exit status is 1 if there are any.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ResultOutput

        func run() async throws {
            let report = try await options.withClient { try await $0.checkCredits() }
            output.print(report, ClubTables.report(report))
            if report.findings?.isEmpty == false { throw ExitCode.failure }
        }
    }
}
