import ArgumentParser
import Gateway

struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a title of a running server as plain files that any web server can send.",
        discussion: """
            The folder is there whole or not at all. The web server has to send .m3u8 as application/vnd.apple.mpegurl. \
            Of an encrypted title the key lies beside the playlist.
            """)

    @OptionGroup var options: ServerOptions

    @Flag(help: "Replace an export that is there already.")
    var force = false

    @Argument(help: "The title's id, or its file.")
    var title: String

    @Argument(help: "The folder to make.", completion: .directory)
    var directory: String

    func run() async throws {
        try await options.withClient { client in
            try await TitleExport(client: client).run(title: title, directory: directory, replaces: force)
        }
    }
}
