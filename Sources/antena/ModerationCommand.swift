import APIClient
import ArgumentParser
import JSONDocument

struct ModerationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "moderation", abstract: "Decide about videos, comments and profiles that members have reported.",
        subcommands: [List.self, Show.self, Claim.self, Decide.self, Warn.self, Suspend.self])

    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case video, comment, profile
    }

    enum Decision: String, ExpressibleByArgument, CaseIterable {
        case restored, hidden, deleted
    }

    struct Item: ParsableArguments {
        @Argument(help: "video, comment or profile.")
        var kind: Kind

        @Argument(help: "The ID of the video, comment or account.")
        var id: String
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List what waits for a decision, the first reports first.")

        @OptionGroup var options: ServerOptions

        @Option(help: "Number of items.")
        var limit = 20

        @Flag(help: "Print JSON instead of a table.")
        var json = false

        func run() async throws {
            let items = try await options.withClient { try await $0.moderationQueue(limit: limit) }
            print(json ? JSONText.array(items.map(JSONText.init)).rendered : CommunityTables.items(items))
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show something that was reported, with the reasons. Who has reported it is not shown.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var item: Item

        @Flag(help: "Print JSON instead of text.")
        var json = false

        func run() async throws {
            let found = try await options.withClient { try await $0.moderatedItem(item.kind.rawValue, item.id) }
            guard !json else { return print(JSONText(found).rendered) }
            print("\(CommunityTables.items([found]))\n\n\(CommunityTables.reports(of: found))")
        }
    }

    struct Claim: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "claim", abstract: "Deal with something alone for 15 minutes.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var item: Item
        @OptionGroup var output: ResultOutput

        func run() async throws {
            let found = try await options.withClient { try await $0.claim(item.kind.rawValue, item.id) }
            output.print(found, "\(item.id): claimed until \(found.text("claimedUntil"))")
        }
    }

    struct Decide: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "decide",
            abstract: "Decide about something that was reported; its reports are settled.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var item: Item
        @OptionGroup var output: ResultOutput

        @Argument(help: "restored (it is shown as before), hidden, or deleted (for good, with the files of a video).")
        var decision: Decision

        @Option(help: "What its owner is told.")
        var note: String?

        func run() async throws {
            try await options.withClient {
                try await $0.decide(decision.rawValue, item.kind.rawValue, item.id, note: note)
            }
            output.print(item.id, decision.rawValue)
        }
    }

    struct Warn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "warn",
            abstract: "Warn the owner of something that was reported, who reads the text.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var item: Item
        @OptionGroup var output: ResultOutput

        @Argument(help: "What the owner is told.")
        var text: String

        func run() async throws {
            try await options.withClient { try await $0.warn(item.kind.rawValue, item.id, text) }
            output.print(item.id, "warned")
        }
    }

    struct Suspend: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "suspend",
            abstract: "Suspend the account of the owner of something that was reported, without end or for a time.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var item: Item
        @OptionGroup var output: ResultOutput

        @OptionGroup var end: SuspensionOptions

        @Option(help: "What its owner is told.")
        var note: String?

        func run() async throws {
            let seconds = try end.seconds()
            try await options.withClient {
                try await $0.suspendOwner(item.kind.rawValue, item.id, for: seconds, note: note)
            }
            output.print(item.id, "owner suspended")
        }
    }
}
