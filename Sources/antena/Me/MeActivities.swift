import APIClient
import APIContract
import APIDeclarations
import ArgumentParser

struct MeActivities: ListedItems {
    typealias Source = SessionOptions

    static let configuration = CommandConfiguration(
        commandName: "activities", abstract: "Show your community activity, newest first.")
    static let nothing = "nothing has happened"

    enum List: String, ExpressibleByArgument, CaseIterable {
        case news, followed, own
    }

    @Option(help: "news: activity about you; followed: likes of members you follow; own: your likes.")
    var list = List.news

    @Option(help: "Number of entries.")
    var limit = 20

    func items(_ client: ServerClient) async throws -> [APIObject<ActivityFields>] {
        try await client.ownActivities(list.rawValue, limit: limit)
    }
}
