import APIClient
import APIContract
import APIDeclarations
import ArgumentParser
import Gateway

struct Jobs: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs",
        abstract: "List, cancel, retry and prioritize a running server's jobs.",
        discussion:
            "Jobs convert, import or illustrate files. Finished jobs are kept for at most thirty days.",
        subcommands: [ListCommand<List>.self, Cancel.self, Retry.self, Prioritize.self],
        defaultSubcommand: ListCommand<List>.self)

    struct List: ListedItems {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List jobs, newest first.")
        static let nothing = "no jobs"

        @Option(help: "Maximum number of jobs to list.")
        var limit = 50

        func validate() throws {
            guard limit > 0 else { throw ValidationError("--limit must be at least 1.") }
        }

        func items(_ client: ServerClient) async throws -> [APIObject<JobFields>] {
            try await client.jobs(limit: limit)
        }

        static func table(_ items: [APIObject<JobFields>]) -> String { JobReport.table(items, nothing: nothing) }
    }

    /// The arguments of subcommands that change several jobs.
    struct Targets: ParsableArguments {
        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "IDs of jobs.")
        var ids: [String]

        /// Changes the jobs one after the other and prints the new state of each.
        func change(_ change: (ServerClient, String) async throws -> APIObject<JobFields>) async throws {
            try await options.withClient { client in
                for id in ids {
                    let job = try await change(client, id)
                    output.print(job, job.jobLine)
                }
            }
        }
    }

    struct Cancel: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cancel",
            abstract: "Cancel jobs: stop their workers and delete their files.")

        @OptionGroup var targets: Targets

        func run() async throws { try await targets.change { try await $0.cancelJob(id: $1) } }
    }

    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retry",
            abstract: "Queue failed or cancelled jobs again.")

        @OptionGroup var targets: Targets

        func run() async throws { try await targets.change { try await $0.retryJob(id: $1) } }
    }

    struct Prioritize: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prioritize", abstract: "Change the priority of a queued job.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "The job's ID.")
        var id: String

        @Argument(help: "-100 to 100; higher goes first. Write a negative number after --.")
        var priority: Int

        func run() async throws {
            let job = try await options.withClient { try await $0.prioritizeJob(id: id, priority) }
            output.print(job, job.jobLine)
        }
    }
}
