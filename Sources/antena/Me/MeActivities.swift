import APIClient
import ArgumentParser
import JSONDocument

struct MeActivities: ListedItems {
    typealias Server = SessionOptions

    static let configuration = CommandConfiguration(
        commandName: "activities", abstract: "Show your community activity, newest first.")

    enum List: String, ExpressibleByArgument, CaseIterable {
        case news, followed, own
    }

    @Option(help: "news: activity about you; followed: likes of members you follow; own: your likes.")
    var list = List.news

    @Option(help: "Number of entries.")
    var limit = 20

    func items(_ client: ServerClient) async throws -> [JSONNode] {
        try await client.ownActivities(list.rawValue, limit: limit)
    }

    static func table(_ items: [JSONNode]) -> String { CommunityTables.activities(items) }
}
