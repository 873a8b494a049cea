package import APIContract
package import APIDeclarations

/// The audio tracks of the library, and what people read about them.
extension ServerClient {
    /// The tracks of a list.
    ///
    /// - Parameters:
    ///   - wanted: which of them.
    ///   - limit: maximum number.
    package func tracks(
        _ wanted: ListRequest = ListRequest(), limit: Int = .max
    ) async throws -> [APIObject<TrackFields>] {
        try await items(TrackAPI.listTracks, query: wanted.query, limit: limit)
    }

    /// A track.
    private func track(_ id: String) async throws -> APIObject<TrackFields> { try await send(TrackAPI.getTrack, id) }

    /// The ID of a track, given its ID or its title.
    ///
    /// - Throws: ``ServerClientError`` if there is no such track, or more than one.
    package func trackID(_ name: String) async throws -> String {
        do {
            return try await track(name).id.cell
        } catch let error as ServerClientError where error.status == 404 {
            let found = try await tracks(ListRequest(words: name), limit: 200).filter { $0.title == name }
            guard let track = found.first, found.count == 1 else {
                throw ServerClientError(
                    found.isEmpty
                        ? "There is no track \"\(name)\"; \"antena track list\" lists them."
                        : "There are \(found.count) tracks \"\(name)\"; name one by its id.")
            }
            return track.id.cell
        }
    }

    /// Deletes a track and its file.
    package func deleteTrack(id: String) async throws { try await send(TrackAPI.deleteTrack, id) }

    /// Makes a JPEG or PNG file the cover of a track, and returns the track.
    ///
    /// - Parameters:
    ///   - id: the track's ID.
    ///   - path: the file; `nil` lets the server show the image beside the track, or the one in it.
    package func setCover(ofTrack id: String, toFileAt path: String?) async throws -> APIObject<TrackFields> {
        let resource = Self.path(of: TrackAPI.getTrack, [id])
        guard let path else { return try await change(TrackAPI.resetTrackCover, id, of: resource) }
        let track = try await change(resource) {
            try await putImage(Self.path(of: TrackAPI.setTrackCover, [id]), fileAt: path, ifMatch: $0)
        }
        return try value(track)
    }

    /// The details of a track.
    package func details(ofTrack id: String) async throws -> APIObject<TrackDetailsFields> {
        try await send(TrackAPI.getTrackDetails, id)
    }

    /// Changes the details of a track, and returns them. A change of somebody else at the same time is kept, as far as
    /// it is about other fields.
    ///
    /// - Parameters:
    ///   - id: the ID of the track.
    ///   - changes: the new values; `null` takes a choice back.
    package func changeDetails(
        ofTrack id: String, _ changes: APIObject<TrackDetailsChangeFields>
    ) async throws -> APIObject<TrackDetailsFields> {
        try await change(TrackAPI.changeTrackDetails, id, body: changes)
    }
}
