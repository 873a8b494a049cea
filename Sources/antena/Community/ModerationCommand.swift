import APIClient
import APIContract
import APIDeclarations
import ArgumentParser
import JSONDocument

struct ModerationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "moderation", abstract: "Decide on videos, comments and profiles that members have reported.",
        subcommands: [ListCommand<List>.self, Show.self, Claim.self, Decide.self, Warn.self, Suspend.self])

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

    struct List: ListedItems {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List items that wait for a decision, oldest reports first.")
        static let nothing = "nothing waits for a decision"

        @Option(help: "Number of items.")
        var limit = 20

        func items(_ client: ServerClient) async throws -> [APIObject<ModeratedItemFields>] {
            try await client.moderationQueue(limit: limit)
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show a reported item with the reasons. Reporters are not named.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var item: Item

        @Flag(help: "Print JSON instead of text.")
        var json = false

        func run() async throws {
            let found = try await options.withClient { try await $0.moderatedItem(item.kind.rawValue, item.id) }
            guard !json else { return print(found.json.rendered) }
            print("\(List.table([found]))\n\n\(CommunityTables.reports(of: found))")
        }
    }

    struct Claim: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "claim", abstract: "Claim an item for 15 minutes, so that nobody else decides on it.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var item: Item
        @OptionGroup var output: ResultOutput

        func run() async throws {
            let found = try await options.withClient { try await $0.claim(item.kind.rawValue, item.id) }
            output.print(found, "\(item.id): claimed until \(found.claimedUntil?.text ?? "-")")
        }
    }

    struct Decide: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "decide",
            abstract: "Decide on a reported item; its reports are settled.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var item: Item
        @OptionGroup var output: ResultOutput

        @Argument(help: "restored (it is shown as before), hidden, or deleted (for good, with the files of a video).")
        var decision: Decision

        @Option(help: "A text for its owner.")
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
            abstract: "Send the owner of a reported item a warning.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var item: Item
        @OptionGroup var output: ResultOutput

        @Argument(help: "A text for the owner.")
        var text: String

        func run() async throws {
            try await options.withClient { try await $0.warn(item.kind.rawValue, item.id, text) }
            output.print(item.id, "warned")
        }
    }

    struct Suspend: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "suspend",
            abstract: "Suspend the owner of a reported item, for a time or without end.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var item: Item
        @OptionGroup var output: ResultOutput

        @OptionGroup var end: SuspensionOptions

        @Option(help: "A text for its owner.")
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
