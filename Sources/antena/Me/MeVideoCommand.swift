import APIClient
import APIContract
import APIDeclarations
import ArgumentParser

struct MeVideoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "video", abstract: "Upload and publish videos.",
        subcommands: [ListCommand<List>.self, Send.self, Publish.self, EachCommand<Delete>.self])

    struct List: ListedItems {
        typealias Source = SessionOptions

        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List your uploads, newest first.")
        static let nothing = "nothing was sent"

        @Option(help: "Number of videos.")
        var limit = 20

        func items(_ client: ServerClient) async throws -> [APIObject<SentVideoFields>] {
            try await client.uploads(limit: limit)
        }

        static func table(_ items: [APIObject<SentVideoFields>]) -> String {
            CommunityTables.uploads(items, nothing: nothing)
        }
    }

    struct Send: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "send",
            abstract: "Upload a video file.",
            discussion: """
                The file is sent in pieces, and resumed after a network failure. With --name and --publish it is \
                published as soon as it plays.
                """)

        @OptionGroup var options: SessionOptions
        @OptionGroup var contents: VideoCommand.Contents
        @OptionGroup var output: ResultOutput

        @Argument(help: "The video file.")
        var file: String

        @Option(help: "The name of the video. (default: the file's name)")
        var name: String?

        @Flag(help: "Publish it as soon as it plays.")
        var publish = false

        func run() async throws {
            let change = SentVideoChangeFields.request { change in
                contents.members + [change.publish(publish), name.map { change.name($0) }]
            }
            let upload = try await options.withClient { client in
                let id = try await client.sendVideo(fileAt: file) { _ in }
                return try await client.describeUpload(id, change)
            }
            output.print(upload, "\(upload.id ?? "-"): \(upload.state ?? "-")")
        }
    }

    struct Publish: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "publish",
            abstract: "Publish an upload: at once if it plays, otherwise as soon as it does.")

        @OptionGroup var options: SessionOptions
        @OptionGroup var contents: VideoCommand.Contents
        @OptionGroup var output: ResultOutput

        @Argument(help: "The ID of the upload.")
        var id: String

        @Option(help: "The name of the video.")
        var name: String?

        func run() async throws {
            let change = SentVideoChangeFields.request { change in
                contents.members + [change.publish(true), name.map { change.name($0) }]
            }
            let upload = try await options.withClient { try await $0.describeUpload(id, change) }
            output.print(upload, "\(upload.id ?? "-"): \(upload.state ?? "-")")
        }
    }

    struct Delete: NamedItems {
        typealias Source = SessionOptions

        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Delete uploads, with their videos if they are published.")
        static let result = "deleted"

        @Argument(help: "IDs of uploads.")
        var ids: [String]

        func apply(to id: String, _ client: ServerClient) async throws { try await client.deleteUpload(id) }
    }
}
