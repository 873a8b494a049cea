import APIClient
import ArgumentParser
import Gateway

struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write a title of a running server as plain files that any web server can serve.",
        discussion: """
            The folder appears only when it is complete. It has playlists for HLS and a manifest for DASH. The web \
            server has to send .m3u8 as application/vnd.apple.mpegurl and .mpd as application/dash+xml. The key of an encrypted title is written beside the playlist.
            """)

    @OptionGroup var options: ServerOptions

    @Flag(help: "Replace an existing export.")
    var force = false

    @Flag(help: "Print JSON at the end, and no progress.")
    var json = false

    @Argument(help: "The title's ID, or its file in the media folder.")
    var title: String

    @Argument(help: "The folder to create.", completion: .directory)
    var directory: String

    func run() async throws {
        try await options.withClient { client in
            try await TitleExport(client: client, isJSON: json).run(
                title: title, directory: directory, replaces: force)
        }
    }
}
