import APIClient
import ArgumentParser
import JSONDocument

struct MeActivities: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activities", abstract: "Show your community activity, newest first.")

    enum List: String, ExpressibleByArgument, CaseIterable {
        case news, followed, own
    }

    @OptionGroup var options: SessionOptions

    @Option(help: "news: activity about you; followed: likes of members you follow; own: your likes.")
    var list = List.news

    @Option(help: "Number of entries.")
    var limit = 20

    @Flag(help: "Print JSON instead of a table.")
    var json = false

    func run() async throws {
        let found = try await options.withClient { try await $0.ownActivities(list.rawValue, limit: limit) }
        print(json ? JSONText.array(found.map(JSONText.init)).rendered : CommunityTables.activities(found))
    }
}
