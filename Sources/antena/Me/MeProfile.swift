import APIClient
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
        var fields: [JSONText.Field] = []
        if let about { fields.append(("about", .string(about))) }
        if let visibility { fields.append(("visibility", .string(visibility.rawValue))) }
        if let showsFollows { fields.append(("showsFollows", .boolean(showsFollows))) }
        if let showsLikes { fields.append(("showsLikes", .boolean(showsLikes))) }
        let profile = try await options.withClient { [fields] client in
            fields.isEmpty ? try await client.ownProfile() : try await client.changeOwnProfile(.object(fields))
        }
        output.print(profile, CommunityTables.profile(profile))
    }
}
