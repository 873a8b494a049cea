package import APIClient
import APIContract
import APIDeclarations
import ArgumentParser
import Foundation
import Gateway

struct Poster: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "poster",
        abstract: "Set a title's poster.",
        discussion: """
            Uses the frame at a time, or an image of your own; without either, the server chooses again. The choice \
            stays when the title's file is replaced; a time stays only if the new file is long enough.
            """)

    @OptionGroup var options: ServerOptions
    @OptionGroup var output: ResultOutput

    @Option(help: ArgumentHelp("The time: 83.5, 1:23.5 or 1:02:03.", valueName: "time"))
    var at: MediaTimestamp?

    @Option(help: ArgumentHelp("A JPEG or PNG file.", valueName: "file"), completion: .file())
    var file: String?

    @Argument(help: "The title's ID, or its file in the media folder.")
    var title: String

    func validate() throws {
        guard at == nil || file == nil else { throw ValidationError("--at and --file cannot be combined.") }
    }

    func run() async throws {
        try await options.withClient { client in
            let id = try await client.titleID(title)
            let answer =
                if let file {
                    try await client.setPoster(ofTitle: id, toFileAt: file)
                } else {
                    try await client.setPoster(ofTitle: id, at: at?.seconds)
                }
            output.print(
                answer, "\(title): \(answer.poster ?? "the poster will be made when the title is ready")")
        }
    }
}

extension MediaTimestamp: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}
