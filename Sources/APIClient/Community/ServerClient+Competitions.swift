package import APIContract
package import APIDeclarations
import Foundation
import NIOHTTP1

extension ServerClient {
    /// Competitions, by start.
    ///
    /// - Parameters:
    ///   - period: `current` or `finished`; `nil` for all.
    ///   - search: words or parts of words of the name; `nil` for all.
    ///   - limit: maximum number.
    package func competitions(
        period: String?, search: String?, limit: Int
    ) async throws -> [APIObject<CompetitionFields>] {
        try await items(CompetitionAPI.listCompetitions, query: [("period", period), ("q", search)], limit: limit)
    }

    /// A competition with its days.
    package func competition(_ id: String) async throws -> APIObject<CompetitionFields> {
        try await send(CompetitionAPI.getCompetition, id)
    }

    /// Makes a competition, and returns it.
    package func createCompetition(
        _ new: APIObject<NewCompetitionFields>
    ) async throws -> APIObject<CompetitionFields> {
        try await send(CompetitionAPI.createCompetition, body: new)
    }

    /// Changes a competition, and returns it.
    package func changeCompetition(
        _ id: String, _ change: APIObject<CompetitionChangeFields>
    ) async throws -> APIObject<CompetitionFields> {
        try await self.change(CompetitionAPI.changeCompetition, id, body: change)
    }

    /// Deletes a competition with its standings and its image.
    package func deleteCompetition(_ id: String) async throws { try await send(CompetitionAPI.deleteCompetition, id) }

    /// The standings of a competition.
    package func standings(of competition: String) async throws -> APIObject<StandingsFields> {
        try await send(CompetitionAPI.getStandings, competition)
    }

    /// Fetches the same as comma-separated values, piece by piece.
    package func standingsTable(of competition: String, _ body: ([UInt8]) throws -> Void) async throws {
        let path = Self.path(of: CompetitionAPI.getStandings, [competition], query: [("format", "csv")])
        try await pieces(of: path, body)
    }

    /// Replaces the standings of a competition, and returns them.
    ///
    /// - Parameters:
    ///   - competition: its ID.
    ///   - table: comma-separated values with a header; empty to remove the standings.
    package func setStandings(of competition: String, to table: [UInt8]) async throws -> APIObject<StandingsFields> {
        let path = Self.path(of: CompetitionAPI.setStandings, [competition])
        return try value(try await send(.PUT, path, table, type: "text/csv; charset=utf-8"))
    }

    /// Makes a JPEG or PNG file the image of a competition, and returns the competition.
    package func setImage(
        ofCompetition id: String, toFileAt path: String
    ) async throws -> APIObject<CompetitionFields> {
        try value(try await putImage(Self.path(of: CompetitionAPI.setCompetitionImage, [id]), fileAt: path))
    }

    /// The map of a competition.
    package func map(ofCompetition id: String) async throws -> APIObject<CompetitionMapFields> {
        try await send(CompetitionAPI.getCompetitionMap, id)
    }

    /// Makes a GPX file, or a JPEG or PNG file with its edges, the map of a competition, and returns the map.
    ///
    /// - Parameters:
    ///   - id: the ID of the competition.
    ///   - path: the file.
    ///   - edges: the names and degrees of the edges of an image; empty for a GPX file.
    package func setMap(
        ofCompetition id: String, toFileAt path: String, edges: [(name: String, degrees: Double)]
    ) async throws -> APIObject<CompetitionMapFields> {
        let file = try Self.content(ofFileAt: path)
        let isJPEG = file.starts(with: [0xFF, 0xD8])
        let type = Self.isPNG(file) ? "image/png" : isJPEG ? "image/jpeg" : "application/gpx+xml"
        let query = edges.map { edge -> (name: String, value: String?) in (edge.name, "\(edge.degrees)") }
        let resource = Self.path(of: CompetitionAPI.setCompetitionMap, [id], query: query)
        return try value(try await send(.PUT, resource, Array(file), type: type))
    }

    /// Removes the map of a competition.
    package func removeMap(ofCompetition id: String) async throws {
        try await send(CompetitionAPI.deleteCompetitionMap, id)
    }

    /// Removes the image of a competition, and returns the competition.
    package func removeImage(ofCompetition id: String) async throws -> APIObject<CompetitionFields> {
        try await send(CompetitionAPI.deleteCompetitionImage, id)
        return try await competition(id)
    }
}
