import APIContract
import APIDeclarations
import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import NIOCore
import Scoreboard
import Workflows

/// `/api/v1/players`.
extension ScoreboardEndpoints {
    private static let adds = AccessRule.credentialed(
        .permissionForThing(.score), reason: "the handler asks for the permission on any channel")

    var playerEndpoints: [Endpoint] {
        [
            Endpoint(ScoreboardAPI.listPlayers, .needs(.read, .site)) { request, _ in
                let wanted = try PageRequest(request)
                let found = try await scoreboard.players(
                    search: wanted.query, after: wanted.cursor, limit: wanted.limit)
                return APIPage(found.items.map(player), next: found.next).response()
            },
            Endpoint(ScoreboardAPI.createPlayer, Self.adds) { request, caller in
                try requireReferee(caller)
                let body = try await BodyFields(request, ScorePlayerChangeFields.self)
                let made = try await scoreboard.createPlayers([try Self.data(body)])
                guard let player = made.first else { throw ProblemDetails(.internalServerError) }
                return answer(player, status: .created)
            },
            Endpoint(ScoreboardAPI.getPlayer, .needs(.read, .site)) { _, caller in
                answer(try await scoreboard.player(try caller.parameters.identifier(of: "player")))
            },
            Endpoint(ScoreboardAPI.changePlayer, Self.adds, handler: changePlayer),
            Endpoint(ScoreboardAPI.deletePlayer, .needs(.manage, .system)) { _, caller in
                try await scoreboard.removePlayer(try caller.parameters.identifier(of: "player"))
                return Response(status: .noContent)
            },
            Endpoint(ScoreboardAPI.importPlayers, .needs(.manage, .system), handler: importPlayers),
            Endpoint(ScoreboardAPI.getPlayerPhoto, .needs(.read, .site)) { request, caller in
                guard let photo = try await scoreboard.photo(of: try caller.parameters.identifier(of: "player"))
                else { throw ProblemDetails(.notFound, "there is no photo") }
                return .conditional(
                    photo.jpeg, type: "image/jpeg", tag: EntityTag(photo.version), cacheControl: Self.photoCaching,
                    for: request)
            },
            Endpoint(ScoreboardAPI.setPlayerPhoto, Self.adds, handler: setPhoto),
            Endpoint(ScoreboardAPI.deletePlayerPhoto, Self.adds) { _, caller in
                try requireReferee(caller)
                _ = try await scoreboard.setPhoto(nil, of: try caller.parameters.identifier(of: "player"))
                return Response(status: .noContent)
            },
        ]
    }

    /// Boards draw the photo again and again; its address changes with it.
    private static let photoCaching = "private, max-age=600"

    private func setPhoto(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        try requireReferee(caller)
        let id = try caller.parameters.identifier(of: "player")
        // No image is decoded for a player who is not there.
        _ = try await scoreboard.player(id)
        guard let photo = try await photos.photo(in: request, from: caller.uploadSender) else {
            throw ProblemDetails(.unprocessableContent, "the photo is empty")
        }
        return answer(try await scoreboard.setPhoto(photo, of: id))
    }

    // MARK: Import

    /// Limit of the rows of which an answer tells the problems, or the duplicates.
    private static let maximumToldCount = 100

    private func importPlayers(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        // A misspelt `trial` must not import.
        let isTrial = try PageRequest.flag("trial", in: request)
        guard FormFields.type(of: request) == "text/csv" else {
            throw ProblemDetails(.unsupportedMediaType, "send the table with the header Content-Type: text/csv")
        }
        let body = try await RequestBody.bytes(of: request, maximumByteCount: PlayerTable.maximumByteCount)
        let table: PlayerTable
        do {
            table = try PlayerTable(Array(body.readableBytesView), declared: request.declaredEncoding)
        } catch {
            let place = ["line \(error.line)", error.column?.rawValue].compactMap(\.self).joined(separator: ", ")
            throw ProblemDetails(.unprocessableContent, "\(place): \(error.reason)")
        }
        let report = try await scoreboard.importPlayers(table, isTrial: isTrial)
        let duplicates = report.duplicates.prefix(Self.maximumToldCount).map { duplicate in
            Self.line(duplicate.line, nil, "\(duplicate.name) is there already")
        }
        let problems = report.problems.prefix(Self.maximumToldCount).map { problem in
            Self.line(problem.line, problem.column?.rawValue, problem.reason)
        }
        return PlayerImportFields.object {
            [$0.read(report.read), $0.added(report.added), $0.duplicates(duplicates), $0.problems(problems)]
        }.response()
    }

    private static func line(_ line: Int, _ column: String?, _ reason: String) -> APIObject<PlayerImportLineFields> {
        PlayerImportLineFields.object { [$0.line(line), $0.column(column), $0.reason(reason)] }
    }

    private func changePlayer(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        try requireReferee(caller)
        let id = try caller.parameters.identifier(of: "player")
        let body = try await BodyFields(request, ScorePlayerChangeFields.self)
        let data = try Self.data(body)
        let isExtraOnly =
            data.firstName == nil && data.lastName == nil && data.gender == nil && data.country == nil
            && data.birthDate == nil
        if !isExtraOnly { try caller.require(.manage, .system) }
        let revisions = try IfMatch.required(in: request).revisions
        return answer(try await scoreboard.changePlayer(id, from: revisions, data))
    }

    /// - Throws: `Refusal` with `invalidField`.
    private static func data(_ body: BodyFields<ScorePlayerChangeFields>) throws -> Scoreboard.PlayerData {
        var data = Scoreboard.PlayerData()
        data.firstName = try body.text(\.firstName)
        data.lastName = try body.text(\.lastName)
        data.gender = try body.value(\.gender, ScorePlayer.Gender.self)
        data.country = try body.text(\.country)
        data.extra = try body.text(\.extra)
        if let text = try body.text(\.birthDate) {
            guard let date = CivilDate(parsing: text) else {
                throw Refusal(
                    .invalidField, "the field `birthDate` must be a date like \"1999-04-30\"", fields: ["birthDate"])
            }
            data.birthDate = date
        }
        return data
    }

    private func answer(_ found: ScorePlayer, status: HTTPResponse.Status = .ok) -> Response {
        player(found).response(status: status).adding(.eTag, EntityTag(found.revision).field)
    }

    private func player(_ player: ScorePlayer) -> APIObject<ScorePlayerFields> {
        ScorePlayerFields.object {
            [
                $0.id(player.id.text), $0.firstName(player.firstName), $0.lastName(player.lastName),
                $0.gender(player.gender.rawValue), $0.country(player.country),
                $0.birthDate(player.birthDate.description),
                $0.age(Int(clamping: ScorePlayer.age(bornOn: player.birthDate, on: scoreboard.today))),
                $0.extra(player.extra), $0.photo(ResourcePaths.photo(ofPlayer: player.id.text, player.photo)),
                $0.createdAt(APIResources.time(player.createdAt)),
            ]
        }
    }
}
