import Foundation
package import JSONDocument
import NIOHTTP1

extension ServerClient {
    /// Competitions, by start.
    ///
    /// - Parameters:
    ///   - period: `current` or `finished`; `nil` for all.
    ///   - search: words or parts of words of the name; `nil` for all.
    ///   - limit: maximum number.
    package func competitions(period: String?, search: String?, limit: Int) async throws -> [JSONNode] {
        let query = [("period", period), ("q", search)].compactMap { name, value in
            value.map { "\(name)=\(Self.escaped($0))" }
        }
        return try await list("/api/v1/competitions?\(query.joined(separator: "&"))", limit: limit)
    }

    /// A competition with its days.
    package func competition(_ id: String) async throws -> JSONNode { try await get(Self.path("competitions", id)) }

    /// Makes a competition, and returns it.
    package func createCompetition(_ fields: JSONText) async throws -> JSONNode {
        try await send(.POST, "/api/v1/competitions", fields)
    }

    /// Changes a competition, and returns it.
    package func changeCompetition(_ id: String, _ change: JSONText) async throws -> JSONNode {
        try await patch(Self.path("competitions", id), change)
    }

    /// Deletes a competition with its standings and its image.
    package func deleteCompetition(_ id: String) async throws {
        _ = try await send(.DELETE, Self.path("competitions", id))
    }

    /// The standings of a competition.
    package func standings(of competition: String) async throws -> JSONNode {
        try await get(Self.path("competitions", competition, "standings"))
    }

    /// Fetches the same as comma-separated values, piece by piece.
    package func standingsTable(of competition: String, _ body: ([UInt8]) throws -> Void) async throws {
        try await pieces(of: "\(Self.path("competitions", competition, "standings"))?format=csv", body)
    }

    /// Replaces the standings of a competition, and returns them.
    ///
    /// - Parameters:
    ///   - competition: its ID.
    ///   - table: comma-separated values with a header; empty to remove the standings.
    package func setStandings(of competition: String, to table: [UInt8]) async throws -> JSONNode {
        try await send(
            .PUT, Self.path("competitions", competition, "standings"), table, type: "text/csv; charset=utf-8")
    }

    /// Makes a JPEG or PNG file the image of a competition, and returns the competition.
    package func setImage(ofCompetition id: String, toFileAt path: String) async throws -> JSONNode {
        try await putImage(Self.path("competitions", id, "image"), fileAt: path)
    }

    /// The map of a competition.
    package func map(ofCompetition id: String) async throws -> JSONNode {
        try await get(Self.path("competitions", id, "map"))
    }

    /// Makes a GPX file, or a JPEG or PNG file with its edges, the map of a competition, and returns the map.
    ///
    /// - Parameters:
    ///   - id: the ID of the competition.
    ///   - path: the file.
    ///   - edges: the names and degrees of the edges of an image; empty for a GPX file.
    package func setMap(
        ofCompetition id: String, toFileAt path: String, edges: [(name: String, degrees: Double)]
    ) async throws -> JSONNode {
        let file = try Self.content(ofFileAt: path)
        let query = edges.map { "\($0.name)=\($0.degrees)" }.joined(separator: "&")
        let isJPEG = file.starts(with: [0xFF, 0xD8])
        let type = Self.isPNG(file) ? "image/png" : isJPEG ? "image/jpeg" : "application/gpx+xml"
        return try await send(
            .PUT, "\(Self.path("competitions", id, "map"))\(query.isEmpty ? "" : "?\(query)")", Array(file), type: type)
    }

    /// Removes the map of a competition.
    package func removeMap(ofCompetition id: String) async throws {
        _ = try await send(.DELETE, Self.path("competitions", id, "map"))
    }

    /// Removes the image of a competition, and returns the competition.
    package func removeImage(ofCompetition id: String) async throws -> JSONNode {
        _ = try await send(.DELETE, Self.path("competitions", id, "image"))
        return try await competition(id)
    }
}
