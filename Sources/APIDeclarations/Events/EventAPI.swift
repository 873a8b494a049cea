package import APIContract

/// The operations of the API for events.
package enum EventAPI {
    package static let streamEvents = APIOperation(
        .get, "/api/v1/events", "streamEvents", "What happens, as server-sent events",
        "The stream does not end. `event` is the type; `data` is a JSON object with `id`, `type`, `time`, the resource (`channel`, `title`, `track`, `job`, `account`, `member` or `announcement`) and what the type adds. A listener gets only events that it may read. A client that sends the `id` of the last event in Last-Event-ID gets all events since, also after a restart of the server; an event `missed` says that the journal no longer has some of them (it keeps 50,000 of seven days). `channel.quality` adds `quality` (`bad` or `good`), `problems` (`loss`, `jitter`, `frame-rate`, `video-bitrate`, `audio-bitrate`; empty if it is good) and `loss` (share of the packets, 0 to 1); `channel.gap` adds `cause` (`interruption`, `missing-frames`, `archive`), `count` and `seconds` (of all of them together); `channel.ladder` adds `preset` and `state` (`dropped`, `withoutSlot` or `failed`, and `encoded` when the quality is back). `notification.created` is for the `member` alone whose ID it has, and only if a webhook of theirs wants it: `notification` (its ID), `kind`, `group`, `count` (at that time), `page`, and the IDs of the newest `video`, `comment` and `competition` or null; a notification is told once. A listener that does not keep up is disconnected.",
        parameters: [
            .query(
                Field<String>(
                    "types", "types such as channel.up, or groups such as channel, separated by commas; all if missing",
                    .optional, .maximumLength(1000))),
            .query(
                Field<String>(
                    "resource", "kind and name of the subject, such as channel/canalA; all if missing", .optional,
                    .maximumLength(200))),
            .header(
                Field<String>(
                    "Last-Event-ID", "`id` of the last event that the client has seen", .optional,
                    .pattern("^[0-9]{1,18}$"))),
            .query(
                Field<String>(
                    "after", "the same as Last-Event-ID, for clients that cannot set the header", .optional,
                    .pattern("^[0-9]{1,18}$"))),
        ], answer: .content("Events", APIContent("text/event-stream", String.self))
    )
    .failing(with: APIProblem(422, .notValid))
}
