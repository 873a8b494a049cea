import APIClient
import APIContract
import APIDeclarations
import ArgumentParser
import JSONDocument

struct MeProfile: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile", abstract: "Show or change your community profile.")

    enum Visibility: String, ExpressibleByArgument, CaseIterable {
        case everybody, members
    }

    @OptionGroup var options: SessionOptions
    @OptionGroup var output: ResultOutput

    @Option(help: "A text about yourself, of up to 2,000 characters; empty for none.")
    var about: String?

    @Option(help: "The audience of your profile: everybody or members.")
    var visibility: Visibility?

    @Option(help: "Whether others see your follower lists: true or false.")
    var showsFollows: Bool?

    @Option(help: "Whether others see your likes: true or false.")
    var showsLikes: Bool?

    func run() async throws {
        let change = OwnProfileChangeFields.request { change in
            [
                about.map { change.about($0) }, visibility.map { change.visibility($0.rawValue) },
                showsFollows.map { change.showsFollows($0) }, showsLikes.map { change.showsLikes($0) },
            ]
        }
        let profile = try await options.withClient { client in
            guard change.json != .object([]) else { return try await client.ownProfile() }
            return try await client.changeOwnProfile(change)
        }
        output.print(profile, CommunityTables.profile(profile))
    }
}
