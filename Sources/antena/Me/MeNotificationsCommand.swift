import APIClient
import APIContract
import APIDeclarations
import ArgumentParser
import JSONDocument

struct MeNotificationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications",
        abstract: "List your notifications, mark them as read, and choose your preferences.",
        subcommands: [ListCommand<List>.self, Read.self, Preferences.self])

    struct List: ListedItems {
        typealias Source = SessionOptions

        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List your notifications, the latest first.")
        static let nothing = "no notifications"

        @Option(help: "Number of items.")
        var limit = 20

        func items(_ client: ServerClient) async throws -> [APIObject<NotificationFields>] {
            try await client.notifications(limit: limit)
        }

        static func table(_ items: [APIObject<NotificationFields>]) -> String {
            CommunityTables.notifications(items, nothing: nothing)
        }
    }

    struct Read: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "read", abstract: "Mark notifications as read; without an ID, all.")

        @OptionGroup var options: SessionOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "The ID of a notification.")
        var id: String?

        @Flag(help: "Also mark all earlier ones.")
        var through = false

        func validate() throws {
            guard id != nil || !through else { throw ValidationError("--through needs the ID of a notification.") }
        }

        func run() async throws {
            let left = try await options.withClient { try await $0.markNotificationsRead(id, through: through) }
            output.print(left, "unread: \(left.unread?.content ?? 0)")
        }
    }

    struct Preferences: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "preferences",
            abstract: "Show or change your notification preferences.",
            discussion: """
                The ways are site, mail, push and webhook, separated by commas; an empty text switches a group off.
                """)

        @OptionGroup var options: SessionOptions
        @OptionGroup var output: ResultOutput

        @Option(help: "New videos and live channels.")
        var newVideos: String?

        @Option(help: "New topics of the forum.")
        var newTopics: String?

        @Option(help: "Activity on your videos and comments.")
        var aboutMe: String?

        @Option(help: "Activity of members you follow.")
        var followed: String?

        private var change: APIObject<NotificationPreferencesChangeFields> {
            func ways(_ text: String) -> NotificationWays {
                NotificationWays(text.split(separator: ",").map(String.init))
            }
            return NotificationPreferencesChangeFields.request { change in
                [
                    newVideos.map { change.newVideos(ways($0)) }, newTopics.map { change.newTopics(ways($0)) },
                    aboutMe.map { change.aboutMe(ways($0)) },
                    followed.map { change.followed(ways($0)) },
                ]
            }
        }

        func run() async throws {
            let preferences = try await options.withClient { client in
                guard change.json != .object([]) else { return try await client.notificationPreferences() }
                return try await client.changeNotificationPreferences(change)
            }
            output.print(preferences, CommunityTables.preferences(preferences))
        }
    }
}
