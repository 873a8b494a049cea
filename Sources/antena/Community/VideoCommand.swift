import APIClient
import APIContract
import APIDeclarations
import ArgumentParser
import JSONDocument

struct VideoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "video", abstract: "Publish titles of the library as community videos.",
        subcommands: [
            ListCommand<List>.self, ShowCommand<Show>.self, Publish.self, Change.self, EachCommand<Withdraw>.self,
        ])

    enum Visibility: String, ExpressibleByArgument, CaseIterable {
        case `public`, unlisted
    }

    enum Comments: String, ExpressibleByArgument, CaseIterable {
        case open, approval, closed
    }

    /// The place where a video was made.
    struct Place: ExpressibleByArgument {
        /// Latitude and longitude in degrees; `nil` for none.
        var degrees: (latitude: Double, longitude: Double)?

        init?(argument: String) {
            guard argument != "none" else { return }
            let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
            guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else { return nil }
            degrees = (latitude, longitude)
        }
    }

    /// The description of a video.
    struct Contents: ParsableArguments {
        @Option(help: "A description of the video.")
        var text: String?

        @Option(name: .customLong("tag"), help: "A tag; may be repeated.")
        var tags: [String] = []

        @Option(help: "The ID of a competition.")
        var competition: String?

        @Option(help: "A day of the competition, from 1.")
        var day: Int?

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp(
                "Its place on the map: latitude and longitude such as 43.36,-5.84; or none.",
                valueName: "degrees"))
        var place: Place?

        @Option(help: "public, or unlisted: reachable only by its address.")
        var visibility: Visibility?

        @Option(help: "Comments: open, approval (you approve comments) or closed.")
        var comments: Comments?

        /// The members of a request, which have the same names for new videos, for changes and for sent videos.
        var members: [JSONText.Field?] {
            let fields = VideoChangeFields.fields
            var members: [JSONText.Field?] = []
            if let text { members.append(fields.text(text)) }
            if !tags.isEmpty { members.append(fields.tags(tags)) }
            if let competition { members.append(fields.competition(competition)) }
            if let day { members.append(fields.day(day)) }
            if let place {
                members.append(fields.latitude(place.degrees?.latitude))
                members.append(fields.longitude(place.degrees?.longitude))
            }
            if let visibility { members.append(fields.visibility(visibility.rawValue)) }
            if let comments { members.append(fields.commentPolicy(comments.rawValue)) }
            return members
        }
    }

    struct List: ListedItems {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List published videos, newest first.")
        static let nothing = "no videos"

        @Option(help: "Only videos with words that begin with this text.")
        var search: String?

        @Option(help: "Only videos of this member.")
        var owner: String?

        @Option(help: "Number of videos.")
        var limit = 20

        func items(_ client: ServerClient) async throws -> [APIObject<VideoFields>] {
            try await client.videos(matching: search, of: owner, limit: limit)
        }
    }

    struct Show: ShownItem {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a published video.")

        @Argument(help: "The ID of the video.")
        var id: String

        func item(_ client: ServerClient) async throws -> APIObject<VideoFields> { try await client.video(id) }

        static func text(_ item: APIObject<VideoFields>) -> String { List.table([item]) }
    }

    struct Publish: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "publish", abstract: "Publish a title.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var contents: Contents
        @OptionGroup var output: ResultOutput

        @Argument(help: "The ID of the title.")
        var title: String

        @Option(help: "The name of the video.")
        var name: String

        func run() async throws {
            let new = NewVideoFields.request { [$0.title(title), $0.name(name)] + contents.members }
            let video = try await options.withClient { try await $0.publish(new) }
            output.print(video, "\(video.id ?? "-"): \(video.page ?? "-")")
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Change the details of a video, or the title that it plays.")

        @OptionGroup var options: ServerOptions
        @OptionGroup var contents: Contents
        @OptionGroup var output: ResultOutput

        @Argument(help: "The ID of the video.")
        var id: String

        @Option(help: "The name of the video.")
        var name: String?

        @Option(help: "The ID of another title; likes and comments stay.")
        var title: String?

        func run() async throws {
            let change = VideoChangeFields.request { change in
                contents.members + [name.map { change.name($0) }, title.map { change.title($0) }]
            }
            let video = try await options.withClient { try await $0.changeVideo(id, change) }
            output.print(video, "\(id): changed")
        }
    }

    struct Withdraw: NamedItems {
        static let configuration = CommandConfiguration(
            commandName: "withdraw",
            abstract: "Unpublish videos, and delete their likes and comments. Their titles stay.")
        static let result = "withdrawn"

        @Argument(help: "IDs of videos.")
        var ids: [String]

        func apply(to id: String, _ client: ServerClient) async throws { try await client.withdrawVideo(id) }
    }
}
