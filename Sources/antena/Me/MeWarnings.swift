import APIClient
import ArgumentParser
import JSONDocument

struct MeWarnings: ListedItems {
    typealias Server = SessionOptions

    static let configuration = CommandConfiguration(
        commandName: "warnings", abstract: "Show moderators' decisions about you, newest first.")

    @Option(help: "Number of entries.")
    var limit = 20

    func items(_ client: ServerClient) async throws -> [JSONNode] { try await client.ownWarnings(limit: limit) }

    static func table(_ items: [JSONNode]) -> String { CommunityTables.records(items) }
}
