import APIClient
import APIContract
import APIDeclarations
import ArgumentParser

struct MeWarnings: ListedItems {
    typealias Source = SessionOptions

    static let configuration = CommandConfiguration(
        commandName: "warnings", abstract: "Show moderators' decisions about you, newest first.")
    static let nothing = "no decisions"

    @Option(help: "Number of entries.")
    var limit = 20

    func items(_ client: ServerClient) async throws -> [APIObject<ModerationRecordFields>] {
        try await client.ownWarnings(limit: limit)
    }
}
