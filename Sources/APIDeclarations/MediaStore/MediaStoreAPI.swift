package import APIContract

/// The operations of the API for media store.
package enum MediaStoreAPI {
    package static let getMediaStore = APIOperation(
        .get, "/api/v1/media-store", "getMediaStore",
        "The files of the library that lie in the media store, and what is being moved",
        answer: .object(MediaStoreFields.self, "The media store")
    )
    .failing(with: APIProblem(409, .conflict))

    package static let moveMedia = APIOperation(
        .post, "/api/v1/media-store/move", "moveMedia", "Choose where the library's files are to be",
        "The files are moved in the background while they are served. Each is on this machine until the store has confirmed it, and in the store until it is back on this machine. The choice holds until the next start, which begins with `store`.",
        body: APIBody(.json(MediaMoveFields.self)), answer: .object(MediaStoreFields.self, "The media store")
    )
    .failing(with: APIProblem(409, .conflict))

    package static let verifyMedia = APIOperation(
        .post, "/api/v1/media-store/verify", "verifyMedia", "Compare files in the media store with what was put",
        "Compares some of the files; repeat the request with `after` set to `last` until `isComplete` is true.",
        body: APIBody(.json(MediaVerificationRangeFields.self)),
        answer: .object(MediaVerificationFields.self, "The result")
    )
    .failing(with: APIProblem(409, .conflict))
}
