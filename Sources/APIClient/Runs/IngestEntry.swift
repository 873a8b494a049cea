import JSONDocument

/// A title, a track or a job, as far as `antena ingest` follows it.
package struct IngestEntry: Sendable, Hashable {
    /// The kind of the entry. A large file is imported by a job before it is a title or a track.
    package enum Kind: Sendable, Hashable {
        case title, track, job
    }

    package var kind: Kind
    /// The ID of the title or track, or the number of the job.
    package var id: String
    /// The state in the API's words, such as `queued`, `ready` or `failed`; empty if it is not known.
    package var state: String
    /// 0 to 1; `nil` if it is not known.
    package var progress: Double?
    /// The reason of a failure.
    package var error: String?
    /// The file's name, which the reason of a failure may begin with.
    package var file: String?
    /// The size of the whole file; `nil` if it is not known.
    package var byteCount: Int64?
    /// How long the ingest took, in seconds; `nil` if it is not known.
    package var ingestSeconds: Double?
    /// The path of the playlist; `nil` for a job.
    package var playlist: String?

    /// Creates an entry of which nothing else is known.
    package init(_ kind: Kind, id: String, state: String) {
        self.kind = kind
        self.id = id
        self.state = state
    }

    /// True if nothing more will happen to the entry.
    var isEnded: Bool { ["ready", "failed", "cancelled"].contains(state) }
}

extension IngestEntry {
    /// Reads an answer of the API; `nil` if it has no ID.
    init?(_ node: JSONNode) {
        guard let id = node["id"]?.string, !id.isEmpty else { return nil }
        playlist = node["playlist"]?.string
        // Titles and tracks are told apart by their playlists, which jobs do not have. Titles have a kind, too.
        let isTrack = playlist?.hasPrefix("/radio/") ?? false
        kind = node["kind"] != nil && node["playlist"] == nil ? .job : isTrack ? .track : .title
        self.id = id
        state = node["state"]?.string ?? ""
        progress = node["progress"]?.number
        error = node["error"]?.string
        file = node["file"]?.string
        byteCount = node["byteCount"]?.number.flatMap { Int64(exactly: $0) }
        ingestSeconds = node["ingestSeconds"]?.number
    }
}
