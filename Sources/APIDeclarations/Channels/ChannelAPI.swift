package import APIContract
import MediaCore

/// The operations of the API for channels.
package enum ChannelAPI {
    package static let listChannels = APIOperation(
        .get, "/api/v1/channels", "listChannels", "Status of all channels",
        answer: .page(of: ChannelFields.self, "Channels"))

    package static let getChannel = APIOperation(
        .get, "/api/v1/channels/{name}", "getChannel", "Status of a channel", parameters: [.channel],
        answer: .object(ChannelFields.self, "The channel"))

    package static let addMetadata = APIOperation(
        .post, "/api/v1/channels/{name}/metadata", "addMetadata", "Insert timed metadata at the channel's live edge",
        "An EXT-X-DATERANGE in all media playlists until it has left the window and, with `id3`, an ID3 tag (emsg) before each rendition's next part. 409 if the channel is not live or the id is in use, 422 if the values are not valid, 429 if there are too many.",
        parameters: [.idempotencyKey, .channel], body: APIBody(.json(MetadataFields.self)),
        answer: .object(DateRangeFields.self, "Announced", status: 201)
    )
    .refusing(.keyOfAnotherRequest)
    .failing(
        with: APIProblem(409, .conflict), APIProblem(409, .requestInProgress), APIProblem(429, .tooManyRequests))

    package static let setRecording = APIOperation(
        .post, "/api/v1/channels/{name}/recording", "setRecording", "Start or stop a channel's recording",
        "The recording becomes a title. Starting a running recording, or stopping a stopped one, changes nothing.",
        parameters: [.idempotencyKey, .channel], body: APIBody(.json(RecordingChangeFields.self)),
        answer: .object(RecordingFields.self, "The recording")
    )
    .or(
        APIAnswer(
            409, "Nobody is broadcasting", [APIContent("application/problem+json", APIObject<ProblemFields>.self)])
    )
    .refusing(.keyOfAnotherRequest)
    .failing(with: APIProblem(409, .conflict), APIProblem(409, .requestInProgress))

    package static let disconnectPublisher = APIOperation(
        .delete, "/api/v1/channels/{name}/publisher", "disconnectPublisher", "Disconnect a channel's publisher",
        "The publisher may connect again; to keep it out, change who may push. If the slate is shown, it ends. 409 if nobody is broadcasting.",
        parameters: [.channel], answer: .nothing("Disconnected")
    )
    .failing(with: APIProblem(409, .conflict))

    package static let listRelays = APIOperation(
        .get, "/api/v1/channels/{name}/relays", "listRelays", "Source and copies of a channel",
        "The stream from which a channel is fetched, and those to which it is copied, as `source` and `restreams` in the configuration say.",
        parameters: [.channel], answer: .page(of: RelayFields.self, "Relays"))

    package static let setRelay = APIOperation(
        .post, "/api/v1/channels/{name}/relays/{id}", "setRelay", "Start or stop a source or a copy",
        "Until the server is restarted. Starting one that runs, or stopping one that is stopped, changes nothing.",
        parameters: [.idempotencyKey, .channel, .id], body: APIBody(.json(RelayChangeFields.self)),
        answer: .object(RelayFields.self, "The relay")
    )
    .refusing(.keyOfAnotherRequest)
    .failing(with: APIProblem(409, .requestInProgress))

    package static let makeClip = APIOperation(
        .post, "/api/v1/channels/{name}/clips", "makeClip", "Make a title from a channel's time-shift window",
        "The clip consists of the complete segments that cover the two times. It starts at a key frame and is not re-encoded.",
        parameters: [.idempotencyKey, .channel], body: APIBody(.json(NewClipFields.self)),
        answer: .object(TitleFields.self, "Ready")
    )
    .or(
        APIAnswer(202, "Being made; ready shortly", [.json(TitleFields.self)]),
        APIAnswer(
            422,
            "`from` is not before `to`, the window does not contain that time, or the codec parameters change in between",
            [APIContent("application/problem+json", APIObject<ProblemFields>.self)])
    )
    .refusing(.keyOfAnotherRequest)
    .failing(with: APIProblem(409, .conflict), APIProblem(409, .requestInProgress), APIProblem(507, .diskFull))

    package static let listPresets = APIOperation(
        .get, "/api/v1/presets", "listPresets", "Quality presets", answer: .page(of: PresetFields.self, "Presets"))
}
