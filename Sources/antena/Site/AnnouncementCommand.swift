import APIClient
import APIContract
import APIDeclarations
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

        func change(text: String?) -> APIObject<AnnouncementChangeFields> {
            AnnouncementChangeFields.request { change in
                [
                    text.map { change.text($0) }, audience.map { change.audience($0) },
                    from.map { change.from(APITime($0)) }, until.map { change.until($0.isEmpty ? nil : APITime($0)) },
                ]
            }
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
            let new = try await options.withClient { try await $0.createAnnouncement(fields.change(text: text)) }
            print(json ? new.json.rendered : "\(new.id ?? "-"): published")
        }
    }

    struct List: ListedItems {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List announcements, newest first.")
        static let nothing = "no announcements"

        @Flag(help: "Only announcements that you currently see.")
        var current = false

        func items(_ client: ServerClient) async throws -> [APIObject<AnnouncementFields>] {
            guard current else { return try await client.announcements() }
            // Clients that are shown an announcement are told a part of its fields.
            return try await client.currentAnnouncements().compactMap { APIObject(json: $0.json) }
        }
    }

    struct Show: ShownItem {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Show an announcement.")

        @Argument(help: "The ID of the announcement.")
        var id: String

        func item(_ client: ServerClient) async throws -> APIObject<AnnouncementFields> {
            try await client.announcement(id)
        }

        static func text(_ item: APIObject<AnnouncementFields>) -> String { item.text ?? "-" }
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
                try await $0.changeAnnouncement(id, fields.change(text: text))
            }
            print(json ? changed.json.rendered : "\(changed.id ?? "-"): changed")
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
