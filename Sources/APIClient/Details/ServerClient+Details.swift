package import JSONDocument
import NIOHTTP1

/// Titles and tracks, and what people read about them.
extension ServerClient {
    /// The lists of the library.
    package enum Section: String, Sendable {
        case titles, tracks
    }

    /// Which titles or tracks of a list are wanted, as the API names them; `nil` for no choice.
    package struct ListRequest: Sendable {
        /// Beginnings of words.
        package var words: String?
        package var order: String?
        package var state: String?
        /// The section of the video club; for titles.
        package var section: String?
        /// The genre; for titles.
        package var genre: String?

        /// The kind of titles.
        package var kind: String?

        package init(
            words: String? = nil, order: String? = nil, state: String? = nil, section: String? = nil,
            genre: String? = nil, kind: String? = nil
        ) {
            (self.words, self.order, self.state, self.section, self.genre) = (words, order, state, section, genre)
        }

        /// The query of the request; empty without any choice.
        fileprivate var query: String {
            let parts = [
                ("q", words), ("sort", order), ("state", state), ("section", section), ("genre", genre), ("kind", kind),
            ]
            .compactMap { name, value in value.map { "\(name)=\(ServerClient.escaped($0))" } }
            return parts.isEmpty ? "" : "?\(parts.joined(separator: "&"))"
        }
    }

    /// The titles or tracks of a list.
    ///
    /// - Parameters:
    ///   - section: the list.
    ///   - wanted: which of them.
    ///   - limit: maximum number.
    package func items(
        of section: Section, _ wanted: ListRequest = ListRequest(), limit: Int
    ) async throws -> [JSONNode] {
        try await list("/api/v1/\(section.rawValue)\(wanted.query)", limit: limit)
    }

    /// The genres of the titles that can be played.
    package func genres() async throws -> [String] {
        try await get("/api/v1/genres")["items"]?.elements?.compactMap { $0["name"]?.string } ?? []
    }

    /// The details of a title or track.
    package func details(of id: String, in section: Section) async throws -> JSONNode {
        try await get(Self.path(section.rawValue, id, "details"))
    }

    /// Changes the details of a title or track, and returns them. A change of somebody else at the same time is kept,
    /// as far as it is about other fields.
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
            let found = try await items(of: .tracks, ListRequest(words: name), limit: 200).filter {
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
