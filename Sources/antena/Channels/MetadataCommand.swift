import APIClient
import APIContract
import ArgumentParser
import JSONDocument

struct MetadataCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metadata",
        abstract: "Insert timed metadata at a channel's live edge.",
        discussion: """
            antena metadata canalA id=goal-1 class=org.example.score duration=10 attributes.X-SCORE=1-0

            The API's description lists the fields.
            """)

    @OptionGroup var options: ServerOptions

    @Argument(help: "The channel's name.")
    var channel: String

    @Argument(help: ArgumentHelp("Fields; a value that is not JSON is a text.", valueName: "field=value"))
    var fields: [String]

    func validate() throws { _ = try SettingChange.all(fields) }

    func run() async throws {
        let metadata = SettingChange.patch(try SettingChange.all(fields))
        let range = try await options.withClient { try await $0.announce(metadata, onChannel: channel) }
        print(range.json.rendered)
    }
}
