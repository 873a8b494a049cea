import ArgumentParser
import Gateway

struct Transcode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make an adaptive-bitrate ladder of a title on a running server.",
        discussion: """
            Ends with status 1 where they cannot be made. What is being made goes on when this command is ended, and \
            after a restart of the server; --drop ends it, or deletes what was made.
            """)

    @OptionGroup var options: ServerOptions

    @Argument(help: "The title's id, or its file's name.")
    var title: String

    @Option(
        help: ArgumentHelp("Names of presets in channels.json, with commas in between.", valueName: "names"))
    var presets: String?

    @Flag(help: "Do not wait until they are there.")
    var background = false

    @Flag(help: "End what is being made; where nothing is, delete what was made.")
    var drop = false

    func validate() throws {
        guard drop == (presets == nil) else { throw ValidationError("Give either --presets or --drop.") }
    }

    func run() async throws {
        let names = (presets ?? "").split(separator: ",").map { $0.trimmingPrefix { $0 == " " } }.map(String.init)
        let succeeded = try await options.withClient { client in
            let run = TranscodeRun(client: client)
            guard drop else { return try await run.make(title: title, presets: names, isAwaited: !background) }
            try await run.drop(title: title)
            return true
        }
        if !succeeded { throw ExitCode.failure }
    }
}
