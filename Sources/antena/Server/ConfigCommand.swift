import APIClient
import ArgumentParser
import JSONDocument

struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show and change a running server's channels.json.",
        discussion: """
            Changes are written to the file and apply at once; unaffected channels keep running. \
            "antena channel" changes channels.
            """,
        subcommands: [Show.self, Set.self, Unset.self])

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Print the file as JSON, without secrets.")

        @OptionGroup var options: ServerOptions

        func run() async throws {
            let file = try await options.withClient { try await $0.configuration() }
            print(file.pretty, terminator: "")
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Change settings.",
            discussion: """
                antena config set encrypt=true presets.low.videoBitrate=500000 viewing.vod=members 'ladder=["low"]'
                """)

        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ChangeOutput

        @Argument(
            help: ArgumentHelp(
                "Settings and their values; a value that is not JSON is a text.", valueName: "setting=value"))
        var settings: [String]

        func validate() throws { _ = try SettingChange.all(settings) }

        func run() async throws {
            let patch = SettingChange.patch(try SettingChange.all(settings))
            output.print(try await options.withClient { try await $0.changeConfiguration(patch) })
        }
    }

    struct Unset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unset", abstract: "Remove settings, so that their defaults apply.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var output: ChangeOutput

        @Argument(help: ArgumentHelp("Settings, such as encrypt or presets.low.", valueName: "setting"))
        var settings: [String]

        func validate() throws { _ = try SettingChange.removals(settings) }

        func run() async throws {
            let patch = SettingChange.patch(try SettingChange.removals(settings))
            output.print(try await options.withClient { try await $0.changeConfiguration(patch) })
        }
    }
}
