package import APIContract
import JSONDocument
import MediaCore

/// The operations of the API for players, matches and boards.
package enum ScoreboardAPI {
    package static let listMatchRules = APIOperation(
        .get, "/api/v1/match-rules", "listMatchRules", "Rules by which matches can be scored",
        answer: .page(of: MatchRulesFields.self, "Rules"))

    // MARK: Players

    package static let listPlayers = APIOperation(
        .get, "/api/v1/players", "listPlayers", "Players, by last name",
        "`q` has beginnings of first and last names.",
        parameters: [.limit, .cursor, .q], answer: .page(of: ScorePlayerFields.self, "Players")
    )
    .refusing(.invalidCursor)

    package static let createPlayer = APIOperation(
        .post, "/api/v1/players", "createPlayer", "Add a player",
        "Everything but `extra` is required. 409 (too-many) if there are 20,000.",
        body: APIBody(.json(ScorePlayerChangeFields.self)),
        answer: .object(ScorePlayerFields.self, "The player; ETag is its version", status: 201)
    )
    .refusing(.tooMany, .missingFields)

    package static let getPlayer = APIOperation(
        .get, "/api/v1/players/{id}", "getPlayer", "A player", parameters: [.id],
        answer: .object(ScorePlayerFields.self, "The player; ETag is its version"))

    package static let changePlayer = APIOperation(
        .patch, "/api/v1/players/{id}", "changePlayer", "Change a player",
        "Results show the new data. Referees may change `extra` only; see also the photo.",
        parameters: [.id, .ifMatchOfOwner],
        body: APIBody(.json(ScorePlayerChangeFields.self)),
        answer: .object(ScorePlayerFields.self, "The player; ETag is its version")
    )
    .refusing(.missingFields)

    package static let deletePlayer = APIOperation(
        .delete, "/api/v1/players/{id}", "deletePlayer", "Delete a player",
        "The photo is deleted as well; results keep the name.", parameters: [.id], answer: .nothing("Deleted"))

    package static let importPlayers = APIOperation(
        .post, "/api/v1/players/import", "importPlayers", "Add players from a table",
        "The first line names the columns, in any order: firstName, lastName, gender, country, birthDate, and extra, which may be missing. At most 2,000 rows. A player with the same name and date of birth is not added again. If a row has a problem, nobody is added.",
        parameters: [
            .query(
                Field<String>(
                    "trial", "whether the answer only says what would happen", .optional, .oneOf("true", "false"),
                    .standard(.string("false")))), .idempotencyKey,
        ],
        body: APIBody(
            APIContent(
                "text/csv", String.self,
                [
                    .minimumLength(2),
                    .example("firstName,lastName,gender,country,birthDate\nAna,Núñez,female,ES,1999-04-30\n"),
                ])),
        answer: .object(PlayerImportFields.self, "Report on the rows")
    )
    .refusing(.tooMany, .keyOfAnotherRequest)
    .failing(with: APIProblem(409, .requestInProgress))

    package static let getPlayerPhoto = APIOperation(
        .get, "/api/v1/players/{id}/photo", "getPlayerPhoto", "The photo of a player",
        "404 if there is no such player, or if they have no photo.", parameters: [.id],
        answer: .content(
            "A square JPEG of 256 pixels", APIContent("image/jpeg", String.self, [.format("binary")]),
            headers: [Field<String>("ETag")])
    )
    .or(APIAnswer(304, "The photo has not changed since the version in If-None-Match"))

    package static let setPlayerPhoto = APIOperation(
        .put, "/api/v1/players/{id}/photo", "setPlayerPhoto", "Set the photo of a player",
        "Needs the permission `score` on any channel. The square in the middle is cut out, scaled to 256 pixels and encoded again, without metadata.",
        parameters: [.id],
        body: APIBody(
            APIContent("image/jpeg", String.self, [.minimumLength(1), .maximumLength(8388608), .format("binary")]),
            APIContent("image/png", String.self, [.minimumLength(1), .maximumLength(8388608), .format("binary")])),
        answer: .object(ScorePlayerFields.self, "The player; ETag is its version")
    )
    .failing(with: APIProblem(429, .tooManyRequests))

    package static let deletePlayerPhoto = APIOperation(
        .delete, "/api/v1/players/{id}/photo", "deletePlayerPhoto", "Remove the photo of a player",
        "Needs the permission `score` on any channel.", parameters: [.id], answer: .nothing("The player has no photo"))

    package static let getPlayerStatistics = APIOperation(
        .get, "/api/v1/players/{id}/statistics", "getPlayerStatistics", "Statistics of a player",
        "Matches with a result, by rules and together; with `against`, only those in which that player was on the other side.",
        parameters: [
            .id, .query(Field<String>("against", "identifier of another player", .optional, .maximumLength(64))),
        ], answer: .object(PlayerStatisticsFields.self, "The counts"))

    // MARK: Matches

    package static let listMatches = APIOperation(
        .get, "/api/v1/matches", "listMatches", "Matches, newest first",
        parameters: [
            .limit, .cursor,
            .query(Field<String>("channel", "matches of this channel", .optional)),
            .query(Field<String>("player", "matches of the player with this ID", .optional)),
            .query(Field<String>("competition", "matches of this competition", .optional, .maximumLength(120))),
            .query(
                Field<String>(
                    "show", "open: matches that have not ended; results: matches with a result; all if missing",
                    .optional, .oneOf("open", "results"))),
            .query(
                Field<String>(
                    "ids", "identifiers of the matches, with commas between them, at most 100; all if missing",
                    .optional,
                    .maximumLength(4_000))),
            .query(
                Field<String>(
                    "format",
                    "form of the answer; json if missing. csv and txt have the results of all pages, the winner first; pdf has the newest 10,000 on pages of A4, in the language of Accept-Language",
                    .optional, .oneOf("json", "csv", "txt", "pdf"))),
            .query(
                Field<String>(
                    "from", "first day on which the matches ended, in UTC", .optional, .maximumLength(10),
                    .example("2026-11-01"))),
            .query(
                Field<String>(
                    "until", "last day on which the matches ended, in UTC", .optional, .maximumLength(10),
                    .example("2026-11-30"))),
        ],
        answer: .page(
            of: MatchFields.self, "Matches",
            also: [
                APIContent("text/csv", String.self), APIContent("text/plain", String.self),
                APIContent("application/pdf", String.self, [.format("binary")]),
            ])
    )
    .refusing(.invalidCursor, .unavailable)
    .failing(with: APIProblem(422, .notValid))

    package static let mailResults = APIOperation(
        .post, "/api/v1/match-results/mails", "mailResults", "Send results by mail, as a PDF file",
        "Needs the permission `score` on a channel. The newest 10,000 results of the filter; all if it is missing. The subject and the text are in the language of Accept-Language, and the text names your account. An account sends 30 such mails in an hour; an address gets six, and the server sends 60. 409 if there are no results, or if the server sends no mail.",
        body: APIBody(.json(ResultMailFields.self)),
        answer: .object(ResultMailsFields.self, "The mails wait to be sent", status: 202)
    )
    .refusing(.conflict, .missingFields, .unavailable, .tooManyAttempts)

    package static let listMatchChanges = APIOperation(
        .get, "/api/v1/match-results/changes", "listMatchChanges", "Changes of matches after a given change",
        "For a federation's program that asks again and again; `GET /api/v1/events?types=score` tells the same as it happens. In their order, at most 256; `last` is what the next request names as `after`. `missed` says that older changes are gone: the journal keeps 50,000 events of seven days, and `GET /api/v1/matches` has the results of all.",
        parameters: [
            .query(
                Field<String>(
                    "after", "`last` of the answer before; the oldest changes that are kept if missing", .optional,
                    .pattern("^[0-9]{1,18}$")))
        ], answer: .object(MatchChangesFields.self, "The changes")
    )
    .refusing(.unavailable)
    .failing(with: APIProblem(422, .notValid))

    package static let getHiddenResults = APIOperation(
        .get, "/api/v1/me/hidden-results", "getHiddenResults",
        "Whether results are left out until the match was watched",
        answer: .object(HiddenResultsFields.self, "The preference"))

    package static let setHiddenResults = APIOperation(
        .put, "/api/v1/me/hidden-results", "setHiddenResults", "Leave results out until the match was watched",
        "The lists of matches and of their changes do not tell the sender the results of matches whose end they have not watched, and pages show them when asked. Turning it off forgets the matches that they have watched.",
        body: APIBody(.json(HiddenResultsFields.self)), answer: .nothing("Set"))

    package static let noteWatchedMatch = APIOperation(
        .put, "/api/v1/me/watched-matches/{id}", "noteWatchedMatch", "Say that the end of a match was watched",
        "For players. Nothing is kept unless results are left out for the sender; the newest 1,000 matches count.",
        parameters: [.id], answer: .nothing("Noted"))

    package static let createMatch = APIOperation(
        .post, "/api/v1/matches", "createMatch", "Set a match up",
        "Needs the permission `score` on the channel. 409 if a player is selected twice, or if the channel has 20 matches that have not ended.",
        parameters: [.idempotencyKey], body: APIBody(.json(NewMatchFields.self)),
        answer: .object(BoardFields.self, "The match, which is ready to begin", status: 201)
    )
    .refusing(.tooMany, .missingFields, .conflict, .notFound)

    package static let getMatch = APIOperation(
        .get, "/api/v1/matches/{id}", "getMatch", "The board of a match", parameters: [.id],
        answer: .object(BoardFields.self, "The board"))

    package static let deleteMatch = APIOperation(
        .delete, "/api/v1/matches/{id}", "deleteMatch", "Delete a match and its result", parameters: [.id],
        answer: .nothing("Deleted"))

    package static let listMatchEvents = APIOperation(
        .get, "/api/v1/matches/{id}/events", "listMatchEvents", "The log of a match",
        "All entries after `after`; `next` is always null.",
        parameters: [
            .id,
            .query(Field<Int>("after", "number of the last entry that you know", .optional, .minimum(0))),
        ], answer: .page(of: MatchEventFields.self, "Entries"))

    package static let addMatchEvents = APIOperation(
        .post, "/api/v1/matches/{id}/events", "addMatchEvents", "Keep the score",
        "Needs the permission `score` on the channel. All events are added, or none. 409 if an event is not possible, and if the match has entries after `expected`: `events` has them then.",
        parameters: [.id], body: APIBody(.json(NewMatchEventsFields.self)),
        answer: .object(BoardFields.self, "The board after the events")
    )
    .refusing(.tooMany, .conflict, .missingFields)

    package static let getTimeline = APIOperation(
        .get, "/api/v1/matches/{id}/timeline", "getMatchTimeline", "All states of a match that viewers see",
        "In the order of time, with corrections as if they had been right from the beginning: for a score in step with a recording. `next` is always null.",
        parameters: [.id], answer: .page(of: BoardFields.self, "Boards"))

    package static let getTitleScores = APIOperation(
        .get, "/api/v1/titles/{id}/scores.vtt", "getTitleScores",
        "The scores of a recording as a WebVTT metadata track",
        "A cue for each state that viewers saw, on the recording's timeline, with the JSON of the stream's ID3 tags; no cues if there was no match. 404 for a title that is not a recording of a channel.",
        parameters: [.id],
        answer: .content("The track", APIContent("text/vtt", String.self), headers: [Field<String>("ETag")])
    )
    .or(APIAnswer(304, "The track has not changed since the version in If-None-Match"))

    package static let getScoreboard = APIOperation(
        .get, "/api/v1/channels/{name}/scoreboard", "getScoreboard", "The states of the match that a channel shows",
        "The newest state and those of the last `seconds`, in the order of time, because a viewer may be behind; no items without a match. With `from` the states of all matches in `seconds` after it, for a recording and for somebody who goes far back; those of an answer with 1,000 items go on after the last one's time. `next` is always null.",
        parameters: [
            .channel,
            .query(
                Field<Int>(
                    "seconds", "time before now, or after `from`, of which states are listed", .optional, .minimum(0),
                    .maximum(86_400), .standard(.integer(120)))),
            .query(
                Field<String>(
                    "from", "beginning of the time of which states are listed; up to now if missing", .optional,
                    .maximumLength(64), .example("2026-11-30T18:00:00.000Z"))),
        ], answer: .page(of: BoardFields.self, "Boards")
    )
    .failing(with: APIProblem(422, .notValid))
}
