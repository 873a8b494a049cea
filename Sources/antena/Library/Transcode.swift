import APIClient
import ArgumentParser
import Gateway

struct Transcode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transcode",
        abstract: "Encode an adaptive-bitrate ladder for a title of a running server.",
        discussion: """
            The exit status is 1 if the ladder cannot be encoded. Encoding continues when this command is interrupted, \
            and after a restart of the server; --drop cancels it, or deletes a complete ladder.
            """)

    @OptionGroup var options: ServerOptions

    @Argument(help: "The title's ID, or its file in the media folder.")
    var title: String

    @Option(
        help: ArgumentHelp("Names of presets in channels.json, separated by commas.", valueName: "names"))
    var presets: String?

    @Flag(help: "Do not wait until the ladder is complete.")
    var background = false

    @Flag(help: "Cancel the encoding, or delete a complete ladder.")
    var drop = false

    @Flag(help: "Print the ladder as JSON at the end, and no progress.")
    var json = false

    func validate() throws {
        guard drop == (presets == nil) else { throw ValidationError("Give either --presets or --drop.") }
    }

    func run() async throws {
        let names = (presets ?? "").split(separator: ",").map { $0.trimmingPrefix { $0 == " " } }.map(String.init)
        let succeeded = try await options.withClient { client in
            let run = TranscodeRun(client: client, isJSON: json)
            guard drop else { return try await run.make(title: title, presets: names, isAwaited: !background) }
            try await run.drop(title: title)
            return true
        }
        if !succeeded { throw ExitCode.failure }
    }
}
