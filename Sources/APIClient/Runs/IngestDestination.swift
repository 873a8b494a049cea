import APIContract
import APIDeclarations
import JSONDocument

/// Ingests files: a running server, or a library in this process.
package protocol IngestDestination: Sendable {
    /// Starts the ingest of a file or folder on this machine.
    ///
    /// - Returns: the title, track or job.
    /// - Throws: ``ServerClientError``
    func ingest(path: String) async throws -> IngestEntry
    /// The current state of an entry; the title or track once the job of an import has made it.
    ///
    /// - Parameter entry: a result of ``ingest(path:)`` or of this function.
    func current(_ entry: IngestEntry) async throws -> IngestEntry
    /// Makes the frame at a time the poster of a title, or lets the library choose one if `seconds` is `nil`.
    ///
    /// - Throws: ``ServerClientError`` if there is no frame at that time.
    func choosePoster(ofTitle id: String, at seconds: Double?) async throws
}

extension ServerClient: IngestDestination {
    package func ingest(path: String) async throws -> IngestEntry {
        try Self.entry(await importFile(path: path))
    }

    package func current(_ entry: IngestEntry) async throws -> IngestEntry {
        switch entry.kind {
        case .title: return try Self.entry(await get(Self.path(of: TitleAPI.getTitle, [entry.id])))
        case .track: return try Self.entry(await get(Self.path(of: TrackAPI.getTrack, [entry.id])))
        case .job:
            let job = try await get(Self.path(of: JobAPI.getJob, [entry.id]))
            // The import is done; follow its title or track from here on.
            guard job["state"]?.string == "ready", let resource = job["resource"]?.string,
                resource.hasPrefix("/api/v1/")
            else { return try Self.entry(job) }
            return try Self.entry(await get(resource))
        }
    }

    package func choosePoster(ofTitle id: String, at seconds: Double?) async throws {
        _ = try await setPoster(ofTitle: id, at: seconds)
    }

    private static func entry(_ node: JSONNode) throws(ServerClientError) -> IngestEntry {
        guard let entry = IngestEntry(node) else { throw ServerClientError("The server's answer has no id.") }
        return entry
    }
}
