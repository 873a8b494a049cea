import APIClient
import APIContract
import APIDeclarations
import ArgumentParser
import JSONDocument

struct ChannelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channel",
        abstract: "Show, add, change and remove a running server's channels.",
        discussion: """
            Changes are written to channels.json and apply at once. Unaffected channels keep running; a channel \
            that is removed disconnects only its own publisher and viewers.
            """,
        subcommands: [ListCommand<List>.self, Show.self, Add.self, Set.self, Cover.self, Disconnect.self, Remove.self])

    struct List: ListedItems {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the channels of channels.json.",
            discussion: "\"antena status\" shows their state.")

        static let nothing = "no channels"

        func items(_ client: ServerClient) async throws -> [APIObject<ConfiguredChannelFields>] {
            try await client.configuredChannels()
        }

        static func table(_ items: [APIObject<ConfiguredChannelFields>]) -> String {
            ConfigurationTables.channels(items, nothing: nothing)
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Print a channel's part of the file, without secrets.")

        @OptionGroup var options: ServerOptions

        @Argument(help: "The channel's name.")
        var channel: String

        func run() async throws {
            let found = try await options.withClient { try await $0.configuration(ofChannel: channel) }
            print(found.pretty, terminator: "")
        }
    }

    /// Options of a channel that most people set.
    struct Fields: ParsableArguments {
        @Option(help: "The display name.")
        var title: String?

        @Option(help: "A description of the channel.")
        var description: String?

        @Option(
            help: ArgumentHelp(
                "Its image: a JPEG or PNG file below the media folder, or an https address.", valueName: "cover"))
        var cover: String?

        @Option(help: ArgumentHelp("Its web page, with https:// or http://.", valueName: "address"))
        var website: String?

        @Option(help: "The artist.")
        var artist: String?

        @Option(help: "The album: a programme or collection.")
        var album: String?

        @Option(help: "A preset that a push may name; may be repeated, and replaces all.")
        var preset: [String] = []

        @Option(help: "The preset of a push that names none.")
        var defaultPreset: String?

        @Option(
            name: .customLong("set"),
            help: ArgumentHelp(
                "Another field of channels.json; may be repeated. A value that is not JSON is a text.",
                valueName: "field=value"))
        var others: [String] = []

        func changes() throws -> [SettingChange] {
            var changes = try SettingChange.all(others)
            func add(_ name: String, _ value: JSONText) {
                if let change = SettingChange(removing: name, value: value) { changes.append(change) }
            }
            if let title { add("title", .string(title)) }
            if let description { add("description", .string(description)) }
            if let cover { add("cover", .string(cover)) }
            if let website { add("website", .string(website)) }
            if let artist { add("artist", .string(artist)) }
            if let album { add("album", .string(album)) }
            if !preset.isEmpty { add("presets", .array(preset.map(JSONText.string))) }
            if let defaultPreset { add("defaultPreset", .string(defaultPreset)) }
            return changes
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a channel.",
            discussion: "antena channel add canalE --title \"Canal E\" --preset low --preset medium")

        @OptionGroup var options: ServerOptions
        @OptionGroup var fields: Fields
        @OptionGroup var output: ChangeOutput

        @Argument(help: "The channel's name, which is part of addresses.")
        var channel: String

        func validate() throws {
            guard !fields.preset.isEmpty else { throw ValidationError("Name at least one --preset.") }
            _ = try fields.changes()
        }

        func run() async throws {
            var new = SettingChange.patch(try fields.changes())
            if new["defaultPreset"] == nil, let first = fields.preset.first { new["defaultPreset"] = .string(first) }
            output.print(try await options.withClient { [new] in try await $0.addChannel(channel, new) })
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Change a channel.",
            discussion: "antena channel set canalA --title \"First\" --set timeShift=30m --unset audience")

        @OptionGroup var options: ServerOptions
        @OptionGroup var fields: Fields
        @OptionGroup var output: ChangeOutput

        @Option(help: ArgumentHelp("A field to remove; may be repeated.", valueName: "field"))
        var unset: [String] = []

        @Argument(help: "The channel's name.")
        var channel: String

        private func patch() throws -> JSONText {
            let changes = try fields.changes() + SettingChange.removals(unset)
            guard !changes.isEmpty else { throw ValidationError("No change given; --help lists the options.") }
            return SettingChange.patch(changes)
        }

        func validate() throws { _ = try patch() }

        func run() async throws {
            let patch = try patch()
            output.print(try await options.withClient { try await $0.changeChannel(channel, patch) })
        }
    }

    struct Cover: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cover",
            abstract: "Send a channel's image.",
            discussion: """
                The server stores it in the folder channels of the media folder. Without a file, the channel has no image \
                any more. "antena channel set --cover" names a file of the media folder or an https address.
                """)

        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ChangeOutput

        @Option(help: ArgumentHelp("A JPEG or PNG file.", valueName: "file"), completion: .file())
        var file: String?

        @Argument(help: "The channel's name.")
        var channel: String

        func run() async throws {
            output.print(try await options.withClient { try await $0.setCover(ofChannel: channel, toFileAt: file) })
        }
    }

    struct Disconnect: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disconnect",
            abstract: "Disconnect a channel's publisher, which may connect again.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ResultOutput

        @Argument(help: "The channel's name.")
        var channel: String

        func run() async throws {
            try await options.withClient { try await $0.disconnectPublisher(ofChannel: channel) }
            output.print(channel, "disconnected")
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove channels from channels.json. Their recordings stay.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ChangeOutput

        @Argument(help: "Names of channels.")
        var channels: [String]

        func run() async throws {
            for channel in channels {
                output.print(try await options.withClient { try await $0.removeChannel(channel) })
            }
        }
    }
}
