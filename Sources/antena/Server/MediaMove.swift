import APIClient
import ArgumentParser

struct MediaMove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Move the library's files to the media store, or back to this machine.",
        discussion: """
            The server moves the files in the background, and viewers notice nothing. This command shows the progress \
            until all files that can be moved have been moved and compared. It can be ended at any time; the server goes \
            on. Files of titles that are being made ready follow later by themselves.
            """)

    @Option(
        help: ArgumentHelp(
            "store, or its address as in the server's --media-store; or folder, for the server's folders.",
            valueName: "place"))
    var to: String

    @Flag(help: "Do not wait until the files have been moved.")
    var noWait = false

    @OptionGroup var options: ServerOptions

    @OptionGroup var output: ResultOutput

    func run() async throws {
        let run = MediaMoveRun(destination: to, waits: !noWait) { [json = output.json] line in
            if !json { print(line) }
        }
        let store = try await options.withClient { try await run.run($0) }
        output.print(store.answer, store.text)
    }
}
