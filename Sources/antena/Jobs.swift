import ArgumentParser
import Gateway

struct Jobs: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List, cancel, retry and prioritize a running server's jobs.",
        discussion:
            "A job converts, imports or illustrates a file. Jobs that have ended are kept for thirty days at most.",
        subcommands: [List.self, Cancel.self, Retry.self, Prioritize.self],
        defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List jobs, the newest first.")

        @OptionGroup var options: ServerOptions

        @Option(help: "How many jobs to list.")
        var limit = 50

        @Flag(help: "Print JSON instead of a table.")
        var json = false

        func validate() throws {
            guard limit > 0 else { throw ValidationError("--limit must be at least 1.") }
        }

        func run() async throws {
            let report = try await options.withClient { try await JobReport.fetch(from: $0, limit: limit) }
            print(json ? report.json : report.text)
        }
    }

    /// What the subcommands share that do the same to each of several jobs.
    struct Targets: ParsableArguments {
        @OptionGroup var options: ServerOptions

        @Argument(help: "Ids of jobs.")
        var ids: [String]

        /// Changes the jobs one after the other and prints each as it is then.
        func change(_ change: (ServerClient, String) async throws -> JSONNode) async throws {
            try await options.withClient { client in
                for id in ids { print(try await change(client, id).jobLine) }
            }
        }
    }

    struct Cancel: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "End jobs: their workers are stopped and what they made is deleted.")

        @OptionGroup var targets: Targets

        func run() async throws { try await targets.change { try await $0.cancelJob(id: $1) } }
    }

    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Begin jobs again that have failed or were cancelled.")

        @OptionGroup var targets: Targets

        func run() async throws { try await targets.change { try await $0.retryJob(id: $1) } }
    }

    struct Prioritize: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Put a waiting job before or after others.")

        @OptionGroup var options: ServerOptions

        @Argument(help: "The job's id.")
        var id: String

        @Argument(help: "-100 to 100; higher goes first. Write a negative number after --.")
        var priority: Int

        func run() async throws {
            try await options.withClient { print(try await $0.prioritizeJob(id: id, priority).jobLine) }
        }
    }
}
