package import APIContract
package import JSONDocument

/// The operations of the API for configuration.
package enum ConfigurationAPI {
    package static let reloadConfiguration = APIOperation(
        .post, "/api/v1/reload", "reloadConfiguration", "Reload channels.json",
        "Channels, presets, publishers and slates are added, changed and removed; everything that did not change is left alone. 422 with all mistakes in `errors` if the file is not valid; nothing is changed then.",
        answer: .object(ReloadFields.self, "What has changed")
    )
    .failing(with: APIProblem(409, .conflict), APIProblem(422, .notValid))

    package static let getConfiguration = APIOperation(
        .get, "/api/v1/configuration", "getConfiguration", "channels.json without secrets",
        answer: .value(
            JSONText.self, "The file; channels.schema.json describes it. ETag is its version",
            [.schema(.type("object"))], headers: [Field<String>("ETag")])
    )
    .failing(with: APIProblem(409, .conflict), APIProblem(422, .notValid))

    package static let changeConfiguration = APIOperation(
        .patch, "/api/v1/configuration", "changeConfiguration", "Change settings of channels.json",
        "A JSON merge patch (RFC 7396) of everything but `channels`. The change is written to channels.json and applies at once; what it does not concern goes on. 422 with all mistakes in `errors` if the file would not be valid, 428 without If-Match, 412 if the file has changed meanwhile; nothing is changed then.",
        parameters: [.ifMatch], body: APIBody(.json(ConfigurationChangeFields.self)),
        answer: .object(
            ReloadFields.self, "What has changed; ETag is the version of the file", headers: [Field<String>("ETag")])
    )
    .failing(with: APIProblem(409, .conflict))

    package static let getConfiguredChannel = APIOperation(
        .get, "/api/v1/configuration/channels/{name}", "getConfiguredChannel",
        "A channel in channels.json, without secrets", parameters: [.configuredChannel],
        answer: .value(
            JSONText.self, "The channel; ETag is the version of the file", [.schema(.type("object"))],
            headers: [Field<String>("ETag")])
    )
    .failing(with: APIProblem(409, .conflict), APIProblem(422, .notValid))

    package static let replaceConfiguredChannel = APIOperation(
        .put, "/api/v1/configuration/channels/{name}", "replaceConfiguredChannel",
        "Add or replace a channel in channels.json",
        "Publishers without a password keep the one that they have. The change is written to channels.json and applies at once; what it does not concern goes on. 422 with all mistakes in `errors` if the file would not be valid, 428 without If-Match, 412 if the file has changed meanwhile; nothing is changed then.",
        parameters: [.configuredChannel, .ifMatch], body: APIBody(.json(ConfiguredChannelFields.self)),
        answer: .object(
            ReloadFields.self, "What has changed; ETag is the version of the file", headers: [Field<String>("ETag")])
    )
    .failing(with: APIProblem(409, .conflict))

    package static let changeConfiguredChannel = APIOperation(
        .patch, "/api/v1/configuration/channels/{name}", "changeConfiguredChannel", "Change a channel in channels.json",
        "A JSON merge patch (RFC 7396). Publishers without a password keep the one that they have. The change is written to channels.json and applies at once; what it does not concern goes on. 422 with all mistakes in `errors` if the file would not be valid, 428 without If-Match, 412 if the file has changed meanwhile; nothing is changed then.",
        parameters: [.configuredChannel, .ifMatch],
        body: APIBody(APIContent("application/json", JSONText.self, [.schema(.type("object"))])),
        answer: .object(
            ReloadFields.self, "What has changed; ETag is the version of the file", headers: [Field<String>("ETag")])
    )
    .failing(with: APIProblem(409, .conflict))

    package static let deleteConfiguredChannel = APIOperation(
        .delete, "/api/v1/configuration/channels/{name}", "deleteConfiguredChannel",
        "Remove a channel from channels.json",
        "Its publisher and viewers are let go; its recordings stay. The change is written to channels.json and applies at once; what it does not concern goes on. 422 with all mistakes in `errors` if the file would not be valid, 428 without If-Match, 412 if the file has changed meanwhile; nothing is changed then.",
        parameters: [.configuredChannel, .ifMatch],
        answer: .object(
            ReloadFields.self, "What has changed; ETag is the version of the file", headers: [Field<String>("ETag")])
    )
    .failing(with: APIProblem(409, .conflict), APIProblem(422, .notValid))

    package static let setConfiguredChannelCover = APIOperation(
        .put, "/api/v1/configuration/channels/{name}/cover", "setConfiguredChannelCover", "Send a channel's image",
        "The image is encoded again and stored in the folder channels of the media folder, where channels.json names it from then on. 422 if the image cannot be decoded, 428 without If-Match, 412 if the file has changed meanwhile; nothing is changed then.",
        parameters: [.configuredChannel, .ifMatch],
        body: APIBody(
            APIContent("image/jpeg", String.self, [.minimumLength(1), .maximumLength(16777216), .format("binary")]),
            APIContent("image/png", String.self, [.minimumLength(1), .maximumLength(16777216), .format("binary")])),
        answer: .object(
            ReloadFields.self, "What has changed; ETag is the version of the file", headers: [Field<String>("ETag")])
    )
    .failing(
        with: APIProblem(403, .readOnly), APIProblem(409, .conflict), APIProblem(429, .tooManyRequests),
        APIProblem(507, .diskFull))

    package static let deleteConfiguredChannelCover = APIOperation(
        .delete, "/api/v1/configuration/channels/{name}/cover", "deleteConfiguredChannelCover",
        "Remove a channel's image",
        "An image that was sent is deleted; any other file stays. 428 without If-Match, 412 if channels.json has changed meanwhile; nothing is changed then.",
        parameters: [.configuredChannel, .ifMatch],
        answer: .object(
            ReloadFields.self, "What has changed; ETag is the version of the file", headers: [Field<String>("ETag")])
    )
    .failing(with: APIProblem(409, .conflict), APIProblem(422, .notValid))
}
