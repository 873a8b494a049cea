import APIClient
import JSONDocument

/// Tracks, as commands name them.
enum TrackKind: ItemKind {
    static let section = ServerClient.Section.tracks
    static let noun = "track"
    static let nameHelp = "The track's ID or title."

    static func id(of name: String, _ client: ServerClient) async throws -> String { try await client.trackID(name) }
    static func table(_ items: [JSONNode]) -> String { DetailTables.tracks(items) }
}
