import APIClient
import APIContract
import APIDeclarations

/// Tracks, as commands name them.
enum TrackKind: ItemKind {
    static let noun = "track"
    static let nameHelp = "The track's ID or title."

    static func id(of name: String, _ client: ServerClient) async throws -> String { try await client.trackID(name) }

    static func items(
        _ wanted: ServerClient.ListRequest, limit: Int, _ client: ServerClient
    ) async throws -> [APIObject<TrackFields>] {
        try await client.tracks(wanted, limit: limit)
    }

    static func table(_ items: [APIObject<TrackFields>]) -> String { DetailTables.tracks(items) }

    static func details(of id: String, _ client: ServerClient) async throws -> APIObject<TrackDetailsFields> {
        try await client.details(ofTrack: id)
    }

    static func changeDetails(
        of id: String, _ change: APIObject<TrackDetailsChangeFields>, _ client: ServerClient
    ) async throws -> APIObject<TrackDetailsFields> {
        try await client.changeDetails(ofTrack: id, change)
    }
}
