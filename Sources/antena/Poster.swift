import ArgumentParser
import Foundation
import Gateway

struct Poster: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Choose the picture that is a title's poster.",
        discussion: """
            The one that is shown at a time, or one of your own; without either, the server chooses again. What is \
            chosen stays when the title's file is replaced, as long as the time is still there.
            """)

    @OptionGroup var options: ServerOptions

    @Option(help: ArgumentHelp("The time: 83.5, 1:23.5 or 1:02:03.", valueName: "time"))
    var at: MediaMoment?

    @Option(help: ArgumentHelp("A JPEG or PNG file.", valueName: "file"), completion: .file())
    var file: String?

    @Argument(help: "Id of the title: what stands between /vod/ and /playlist.m3u8.")
    var title: String

    func validate() throws {
        guard at == nil || file == nil else { throw ValidationError("--at and --file exclude each other.") }
    }

    func run() async throws {
        do {
            try await ServerClient.with(server: options.server) { client in
                let answer =
                    if let file {
                        try await client.setPoster(ofTitle: title, toFileAt: file)
                    } else {
                        try await client.setPoster(ofTitle: title, at: at?.seconds)
                    }
                print("\(title): \(answer["poster"]?.string ?? "its poster is made when it is ready")")
            }
        } catch let error as ServerClientError {
            throw CommandFailure(error.description)
        }
    }
}

extension MediaMoment: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}
