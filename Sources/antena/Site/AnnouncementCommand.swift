import APIClient
import ArgumentParser
import JSONDocument

struct AnnouncementCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "announcement", abstract: "Write announcements, which are shown on top of every page.",
        subcommands: [Add.self, ListCommand<List>.self, ShowCommand<Show>.self, Set.self, EachCommand<Delete>.self])

    /// The fields of an announcement.
    struct Fields: ParsableArguments {
        @Option(help: "The audience: everyone or members.")
        var audience: String?

        @Option(help: ArgumentHelp("The start, such as 2026-11-21T22:00:00Z. (default: now)", valueName: "time"))
        var from: String?

        @Option(help: ArgumentHelp("The end; empty for none. (default: none)", valueName: "time"))
        var until: String?

        func json(text: String?) -> [JSONText.Field] {
            var fields: [JSONText.Field] = []
            if let text { fields.append(("text", .string(text))) }
            if let audience { fields.append(("audience", .string(audience))) }
            if let from { fields.append(("from", .string(from))) }
            if let until { fields.append(("until", until.isEmpty ? .null : .string(until))) }
            return fields
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "add", abstract: "Write an announcement.")

        @OptionGroup var options: ServerOptions

        @Argument(help: "The text; **bold**, *italic* and [links](https://example.org) work.")
        var text: String

        @OptionGroup var fields: Fields

        @Flag(help: "Print the announcement as JSON.")
        var json = false

        func run() async throws {
            let new = try await options.withClient { try await $0.createAnnouncement(fields.json(text: text)) }
            print(json ? JSONText(new).rendered : "\(new.text("id")): published")
        }
    }

    struct List: ListedItems {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List announcements, newest first.")

        @Flag(help: "Only announcements that you currently see.")
        var current = false

        func items(_ client: ServerClient) async throws -> [JSONNode] {
            current ? try await client.currentAnnouncements() : try await client.announcements()
        }

        static func table(_ items: [JSONNode]) -> String { AnnouncementTables.announcements(items) }
    }

    struct Show: ShownItem {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Show an announcement.")

        @Argument(help: "The ID of the announcement.")
        var id: String

        func item(_ client: ServerClient) async throws -> JSONNode { try await client.announcement(id) }

        static func text(_ item: JSONNode) -> String { item.text("text") }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Change an announcement; members who have dismissed it see it again.")

        @OptionGroup var options: ServerOptions

        @Argument(help: "The ID of the announcement.")
        var id: String

        @Option(help: "The new text.")
        var text: String?

        @OptionGroup var fields: Fields

        @Flag(help: "Print the announcement as JSON.")
        var json = false

        func run() async throws {
            let changed = try await options.withClient {
                try await $0.changeAnnouncement(id, fields.json(text: text))
            }
            print(json ? JSONText(changed).rendered : "\(changed.text("id")): changed")
        }
    }

    struct Delete: NamedItems {
        static let configuration = CommandConfiguration(commandName: "delete", abstract: "Delete announcements.")
        static let result = "deleted"

        @Argument(help: "IDs of announcements.")
        var ids: [String]

        func apply(to id: String, _ client: ServerClient) async throws { try await client.deleteAnnouncement(id) }
    }
}
