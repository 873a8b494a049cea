package import APIContract
import JSONDocument
import MediaCore

/// The operations of the API for competitions.
package enum CompetitionAPI {
    package static let listCompetitions = APIOperation(
        .get, "/api/v1/competitions", "listCompetitions", "Competitions, by start", "Items have no `days`.",
        parameters: [
            .limit, .cursor,
            .query(
                Field<String>(
                    "period", "period: not finished yet (current), or finished; all if missing", .optional,
                    .oneOf("current", "finished"))),
            .query(
                Field<String>(
                    "q", "words or parts of words of the name, regardless of case and accents", .optional,
                    .maximumLength(200))),
        ], answer: .page(of: CompetitionFields.self, "Competitions")
    )
    .refusing(.invalidCursor)

    package static let createCompetition = APIOperation(
        .post, "/api/v1/competitions", "createCompetition", "Make a competition",
        "It can be entered from a week before its first day. 409 (too-many) if the server has 10,000.",
        parameters: [.idempotencyKey], body: APIBody(.json(NewCompetitionFields.self)),
        answer: .object(
            CompetitionFields.self, "The competition; ETag is its version", status: 201,
            headers: [Field<String>("ETag"), Field<String>("Location")])
    )
    .refusing(.tooMany, .missingFields, .keyOfAnotherRequest)
    .failing(with: APIProblem(409, .requestInProgress))

    package static let getCompetition = APIOperation(
        .get, "/api/v1/competitions/{id}", "getCompetition", "A competition with its days", parameters: [.id],
        answer: .object(
            CompetitionFields.self, "The competition; ETag is its version", headers: [Field<String>("ETag")]))

    package static let changeCompetition = APIOperation(
        .patch, "/api/v1/competitions/{id}", "changeCompetition", "Change a competition",
        "A JSON merge patch (RFC 7396). 428 without If-Match, 412 if somebody else has changed the competition, its standings or its image meanwhile.",
        parameters: [.id, .ifMatch], body: APIBody(.json(CompetitionChangeFields.self)),
        answer: .object(
            CompetitionFields.self, "The competition after the change; ETag is its version",
            headers: [Field<String>("ETag")]))

    package static let deleteCompetition = APIOperation(
        .delete, "/api/v1/competitions/{id}", "deleteCompetition",
        "Delete a competition with its standings and its image", parameters: [.id, .ifMatchIfSent],
        answer: .nothing("Deleted"))

    package static let getStandings = APIOperation(
        .get, "/api/v1/competitions/{id}/standings", "getStandings", "The standings of a competition",
        "A table; no columns if there are none. In CSV (RFC 4180), text that a spreadsheet would take for a formula has an apostrophe in front, which is taken away when the table comes back.",
        parameters: [
            .id,
            .query(
                Field<String>(
                    "format", "form of the answer", .optional, .oneOf("json", "csv"), .standard(.string("json")))),
        ],
        answer: .object(
            StandingsFields.self, "The standings; ETag is the version of the competition",
            also: [APIContent("text/csv", String.self)], headers: [Field<String>("ETag")]))

    package static let setStandings = APIOperation(
        .put, "/api/v1/competitions/{id}/standings", "setStandings", "Replace the standings of a competition",
        "As JSON, or as CSV with a header. No columns, or an empty table, remove them. Rows with fewer cells than the header are filled up.",
        parameters: [.id, .ifMatchIfSent],
        body: APIBody(
            .json(StandingsFields.self), APIContent("text/csv", JSONText.self, [.example("Pos,Driver\n1,Ana\n")])),
        answer: .object(
            StandingsFields.self, "The standings; ETag is the version of the competition",
            headers: [Field<String>("ETag")]))

    package static let getCompetitionImage = APIOperation(
        .get, "/api/v1/competitions/{id}/image", "getCompetitionImage", "The image of a competition",
        "A square JPEG of 640 pixels. 404 if there is none.", parameters: [.id],
        answer: .content(
            "The image", APIContent("image/jpeg", String.self, [.format("binary")]), headers: [Field<String>("ETag")])
    )
    .or(APIAnswer(304, "The image has not changed since the version in If-None-Match"))

    package static let setCompetitionImage = APIOperation(
        .put, "/api/v1/competitions/{id}/image", "setCompetitionImage", "Set the image of a competition",
        "The square in the middle is cut out, scaled to 640 pixels and encoded again, without metadata.",
        parameters: [.id, .ifMatchIfSent],
        body: APIBody(
            APIContent("image/jpeg", String.self, [.minimumLength(1), .maximumLength(8388608), .format("binary")]),
            APIContent("image/png", String.self, [.minimumLength(1), .maximumLength(8388608), .format("binary")])),
        answer: .object(
            CompetitionFields.self, "The competition; ETag is its version", headers: [Field<String>("ETag")])
    )
    .failing(with: APIProblem(429, .tooManyRequests))

    package static let deleteCompetitionImage = APIOperation(
        .delete, "/api/v1/competitions/{id}/image", "deleteCompetitionImage", "Remove the image of a competition",
        parameters: [.id, .ifMatchIfSent], answer: .nothing("The competition has no image"))

    package static let getCompetitionMap = APIOperation(
        .get, "/api/v1/competitions/{id}/map", "getCompetitionMap", "The map of a competition",
        "What is below the videos on the map of the page: the lines of a track, or an image. 404 if there is none. Videos have their places in `/api/v1/videos`.",
        parameters: [.id],
        answer: .object(
            CompetitionMapFields.self, "The map; ETag is the version of the competition",
            headers: [Field<String>("ETag")]))

    package static let setCompetitionMap = APIOperation(
        .put, "/api/v1/competitions/{id}/map", "setCompetitionMap", "Set the map of a competition",
        "A GPX file with tracks or routes: at most 100 segments and routes, 30,000 points, not within 5 degrees of a pole and not wider than 180 degrees; points that nobody would see are left out. Or an image whose upper edge is in the north, with the degrees of its four edges; it is scaled to 2,000 × 1,280 pixels at most and encoded again, without metadata.",
        parameters: [
            .id, .ifMatchIfSent,
            .query(
                Field<Double>(
                    "north", "latitude of the upper edge of an image", .optional, .minimum(-85), .maximum(85))),
            .query(Field<Double>("west", "longitude of its left edge", .optional, .minimum(-180), .maximum(180))),
            .query(Field<Double>("south", "latitude of its lower edge", .optional, .minimum(-85), .maximum(85))),
            .query(
                Field<Double>(
                    "east", "longitude of its right edge; less than `west` if the image crosses the antimeridian",
                    .optional, .minimum(-180), .maximum(180))),
        ],
        body: APIBody(
            APIContent(
                "application/gpx+xml", String.self, [.minimumLength(1), .maximumLength(4194304), .format("binary")]),
            APIContent("image/jpeg", String.self, [.minimumLength(1), .maximumLength(8388608), .format("binary")]),
            APIContent("image/png", String.self, [.minimumLength(1), .maximumLength(8388608), .format("binary")])),
        answer: .object(
            CompetitionMapFields.self, "The map; ETag is the version of the competition",
            headers: [Field<String>("ETag")])
    )
    .failing(with: APIProblem(429, .tooManyRequests))

    package static let deleteCompetitionMap = APIOperation(
        .delete, "/api/v1/competitions/{id}/map", "deleteCompetitionMap", "Remove the map of a competition",
        parameters: [.id, .ifMatchIfSent], answer: .nothing("The competition has no map"))

    package static let getCompetitionMapImage = APIOperation(
        .get, "/api/v1/competitions/{id}/map/image", "getCompetitionMapImage", "The image of the map of a competition",
        "A JPEG. 404 if there is no map, or one of a track.", parameters: [.id],
        answer: .content(
            "The image", APIContent("image/jpeg", String.self, [.format("binary")]), headers: [Field<String>("ETag")])
    )
    .or(APIAnswer(304, "The image has not changed since the version in If-None-Match"))

    package static let followCompetition = APIOperation(
        .put, "/api/v1/competitions/{id}/follow", "followCompetition", "Follow a competition",
        "Members who follow it already go on to do so.", parameters: [.id],
        answer: .nothing("The sender follows the competition"))

    package static let unfollowCompetition = APIOperation(
        .delete, "/api/v1/competitions/{id}/follow", "unfollowCompetition", "Follow a competition no longer",
        parameters: [.id], answer: .nothing("The sender does not follow the competition"))

    package static let listFollowedCompetitions = APIOperation(
        .get, "/api/v1/me/competitions", "listFollowedCompetitions",
        "The competitions that the sender follows, the one that was followed last first",
        parameters: [.cursor, .limit], answer: .page(of: FollowedCompetitionFields.self, "Competitions")
    )
    .refusing(.invalidCursor)

    package static let getCalendar = APIOperation(
        .get, "/api/v1/competitions.ics", "getCalendar", "The calendar of all competitions (iCalendar, RFC 5545)",
        "Those that are not finished, and those that ended in the last year, at most 1,000; each is one event of whole days.",
        answer: .content("The calendar", APIContent("text/calendar", String.self), headers: [Field<String>("ETag")])
    )
    .or(APIAnswer(304, "The calendar has not changed since the version in If-None-Match"))

    package static let getCompetitionCalendar = APIOperation(
        .get, "/api/v1/competitions/{id}/calendar.ics", "getCompetitionCalendar",
        "The calendar of a competition (iCalendar, RFC 5545)", parameters: [.id],
        answer: .content("The calendar", APIContent("text/calendar", String.self), headers: [Field<String>("ETag")])
    )
    .or(APIAnswer(304, "The calendar has not changed since the version in If-None-Match"))
}
