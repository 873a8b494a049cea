package import JSONDocument

/// Ingests files: a running server, or a library in this process.
package protocol IngestDestination: Sendable {
    /// Starts the ingest of a file or folder on this machine.
    ///
    /// - Returns: the title, track or job in the API's representation.
    /// - Throws: ``ServerClientError``
    func ingest(path: String) async throws -> JSONNode
    /// The current state of an entry.
    ///
    /// - Parameter entry: a result of ``ingest(path:)`` or of this function.
    func current(_ entry: JSONNode) async throws -> JSONNode
    /// Makes the frame at a time the poster of a title, or lets the library choose one if `seconds` is `nil`.
    ///
    /// - Returns: the title.
    /// - Throws: ``ServerClientError`` if there is no frame at that time.
    func setPoster(ofTitle id: String, at seconds: Double?) async throws -> JSONNode
}

extension ServerClient: IngestDestination {
    package func current(_ entry: JSONNode) async throws -> JSONNode {
        guard let id = entry["id"]?.string, !id.isEmpty else {
            throw ServerClientError("The server's answer has no id.")
        }
        guard entry.isJob else { return try await get(Self.path(entry.collection, id)) }
        let job = try await get(Self.path("jobs", id))
        // The import is done; follow its title or track from here on.
        guard job.text("state") == "ready", let resource = job["resource"]?.string, resource.hasPrefix("/api/v1/")
        else { return job }
        return try await get(resource)
    }
}

extension JSONNode {
    /// True if the entry is a job; a large file is imported by a job before it is a title or track.
    package var isJob: Bool { self["kind"] != nil }

    /// The API's collection, `tracks` or `titles`, told by the playlist's path.
    package var collection: String { text("playlist").hasPrefix("/radio/") ? "tracks" : "titles" }
}
