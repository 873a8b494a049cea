package import APIContract
import MediaCore

/// The operations of the API for tracks.
package enum TrackAPI {
    package static let setTrackCover = APIOperation(
        .put, "/api/v1/tracks/{id}/cover", "setTrackCover", "Set a track's cover",
        "The image is shown instead of the one beside the file and the one in it, and stays when the file is replaced. 422 if the image cannot be decoded; the cover is then unchanged.",
        parameters: [.id, .ifMatchOfOwner],
        body: APIBody(
            APIContent("image/jpeg", String.self, [.minimumLength(1), .maximumLength(16777216), .format("binary")]),
            APIContent("image/png", String.self, [.minimumLength(1), .maximumLength(16777216), .format("binary")])),
        answer: .object(
            TrackFields.self, "The track with its new cover; ETag is its version", headers: [Field<String>("ETag")])
    )
    .failing(with: APIProblem(429, .tooManyRequests))

    package static let resetTrackCover = APIOperation(
        .delete, "/api/v1/tracks/{id}/cover", "resetTrackCover",
        "Show again the image beside the file, or the one in it", parameters: [.id, .ifMatchOfOwner],
        answer: .object(
            TrackFields.self, "The track with its new cover; ETag is its version", headers: [Field<String>("ETag")]))

    package static let listTracks = APIOperation(
        .get, "/api/v1/tracks", "listTracks", "List or search audio tracks",
        parameters: [.limit, .cursor, .q, .sort, .itemState], answer: .page(of: TrackFields.self, "Tracks")
    )
    .refusing(.invalidCursor)

    package static let getTrackDetails = APIOperation(
        .get, "/api/v1/tracks/{id}/details", "getTrackDetails",
        "What people read about a track, and where it comes from", parameters: [.id],
        answer: .object(TrackDetailsFields.self, "The details; ETag is their version", headers: [Field<String>("ETag")])
    )

    package static let changeTrackDetails = APIOperation(
        .patch, "/api/v1/tracks/{id}/details", "changeTrackDetails", "Change what people read about a track",
        "A JSON merge patch (RFC 7396): null takes a choice back, so that the notes beside the file (.nfo), its tags and its names decide. 428 without If-Match, 412 if somebody else has changed the details meanwhile.",
        parameters: [.id, .ifMatch], body: APIBody(.json(TrackDetailsChangeFields.self)),
        answer: .object(
            TrackDetailsFields.self, "The details after the change; ETag is their version",
            headers: [Field<String>("ETag")]))

    package static let getTrack = APIOperation(
        .get, "/api/v1/tracks/{id}", "getTrack", "An audio track", parameters: [.id],
        answer: .object(
            TrackFields.self, "The track; ETag changes with everything that the answer says",
            headers: [Field<String>("ETag")]))

    package static let deleteTrack = APIOperation(
        .delete, "/api/v1/tracks/{id}", "deleteTrack", "Delete a track: its file and everything derived from it",
        parameters: [.id], answer: .nothing("Deleted")
    )
    .failing(with: APIProblem(403, .readOnly))
}
