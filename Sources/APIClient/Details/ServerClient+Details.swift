package import JSONDocument
import NIOHTTP1

/// Titles and tracks, and what people read about them.
extension ServerClient {
    /// The lists of the library.
    package enum Section: String, Sendable {
        case titles, tracks
    }

    /// The titles or tracks of a list.
    ///
    /// - Parameters:
    ///   - section: the list.
    ///   - words: beginnings of words; `nil` for all.
    ///   - order: the order, as the API names it; `nil` for that of the titles.
    ///   - state: the state that they must have; `nil` for any.
    ///   - limit: maximum number.
    package func items(
        of section: Section, matching words: String?, order: String?, state: String?, limit: Int
    ) async throws -> [JSONNode] {
        let query = [("q", words), ("sort", order), ("state", state)].compactMap { name, value in
            value.map { "\(name)=\(Self.escaped($0))" }
        }
        let path = "/api/v1/\(section.rawValue)"
        return try await list(query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))", limit: limit)
    }

    /// The details of a title or track.
    package func details(of id: String, in section: Section) async throws -> JSONNode {
        try await get(Self.path(section.rawValue, id, "details"))
    }

    /// Changes the details of a title or track, and returns them. A change of somebody else at the same time is kept, as
    /// far as it is about other fields.
    ///
    /// - Parameters:
    ///   - id: the ID of the title or track.
    ///   - section: the list that it is in.
    ///   - changes: the new values; `null` takes a choice back.
    package func changeDetails(
        of id: String, in section: Section, _ changes: JSONText
    ) async throws -> JSONNode {
        try await patch(Self.path(section.rawValue, id, "details"), changes)
    }

    /// Deletes a track and its file.
    package func deleteTrack(id: String) async throws { _ = try await send(.DELETE, Self.path("tracks", id)) }

    /// The ID of a track, given its ID or its title.
    ///
    /// - Throws: ``ServerClientError`` if there is no such track, or more than one.
    package func trackID(_ name: String) async throws -> String {
        do {
            return try await get(Self.path("tracks", name)).text("id")
        } catch let error as ServerClientError where error.status == 404 {
            let found = try await items(of: .tracks, matching: name, order: nil, state: nil, limit: 200).filter {
                $0["title"]?.string == name
            }
            guard let track = found.first, found.count == 1 else {
                throw ServerClientError(
                    found.isEmpty
                        ? "There is no track \"\(name)\"; \"antena track list\" lists them."
                        : "There are \(found.count) tracks \"\(name)\"; name one by its id.")
            }
            return track.text("id")
        }
    }
}
