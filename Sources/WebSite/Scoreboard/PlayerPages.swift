import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import NIOCore
import Scoreboard
import SiteTexts
import Workflows

/// The players of matches: a list beside the details of one, a form for a new one, and the import of a table.
struct PlayerPages: Sendable {
    let pages: ScoreboardPages

    private var scoreboard: Scoreboard { pages.scoreboard }

    private static let kept = AccessRule.credentialed(
        .permissionForThing(.score), reason: "the handler asks for the permission on any channel")
    /// The parameter of a page that says that a change was made.
    private static let savedParameter = "hecho"
    private static let photoSuffix = "/foto"
    private static let removalSuffix = "/foto/quitar"
    private static let extraSuffix = "/linea"
    private static let deletionSuffix = "/borrar"

    private enum FieldName: String {
        case firstName, lastName, gender, country, birthDate, extra
    }

    var endpoints: [Endpoint] {
        let one = "\(ScoreboardPath.players)/{id}"
        return [
            Endpoint(.get, ScoreboardPath.players, Self.kept) { request, context in
                try await list(.none, request, context)
            },
            Endpoint(.get, ScoreboardPath.newPlayer, Self.kept) { request, context in
                try await list(.new(nil, nil), request, context)
            },
            Endpoint(.post, ScoreboardPath.newPlayer, Self.kept, handler: create),
            Endpoint(.get, ScoreboardPath.importPlayers, .needs(.manage, .system)) { request, context in
                try await list(.table(nil, nil), request, context)
            },
            Endpoint(.post, ScoreboardPath.importPlayers, .needs(.manage, .system), handler: importPlayers),
            Endpoint(.get, one, Self.kept) { request, context in
                let player = try await scoreboard.player(try context.parameters.identifier(of: "player"))
                return try await list(.player(player, nil, nil), request, context)
            },
            Endpoint(.post, one, .needs(.manage, .system)) { request, context in
                try await change(request, context) { sent in Self.data(sent) }
            },
            Endpoint(.post, one + Self.extraSuffix, Self.kept) { request, context in
                try await change(request, context) { sent in
                    var data = Scoreboard.PlayerData()
                    data.extra = sent[FieldName.extra.rawValue] ?? ""
                    return data
                }
            },
            Endpoint(.post, one + Self.photoSuffix, Self.kept, handler: setPhoto),
            Endpoint(.post, one + Self.removalSuffix, Self.kept) { _, context in
                try requireReferee(context)
                let id = try context.parameters.identifier(of: "player")
                _ = try await scoreboard.setPhoto(nil, of: id)
                return redirect(id)
            },
            Endpoint(.post, one + Self.deletionSuffix, .needs(.manage, .system)) { _, context in
                try await scoreboard.removePlayer(try context.parameters.identifier(of: "player"))
                return pages.pages.redirect("\(ScoreboardPath.players)?\(Self.savedParameter)=1")
            },
        ]
    }

    private func requireReferee(_ context: GatewayRequestContext) throws {
        guard pages.scored(context).isEmpty else { return }
        try context.require(.score, Resource(.match))
    }

    private func redirect(_ id: OpaqueID) -> Response {
        pages.pages.redirect("\(ScoreboardPath.player(id.text))?\(Self.savedParameter)=1")
    }

    // MARK: The page

    /// The part beside the list.
    private enum Detail {
        case none
        /// A new player, with the fields as they were sent and the sentence about what is wrong.
        case new(FormFields?, String?)
        case player(ScorePlayer, FormFields?, String?)
        /// An import with its outcome.
        case table(ImportOutcome?, String?)

        var problem: String? {
            switch self {
            case .none: nil
            case .new(_, let problem), .player(_, _, let problem), .table(_, let problem): problem
            }
        }
    }

    private struct ImportOutcome {
        var report: Scoreboard.PlayerImport
        var isTrial: Bool
    }

    private func list(
        _ detail: Detail, _ request: Request, _ context: GatewayRequestContext,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        try requireReferee(context)
        let (text, board) = (pages.playersText(request), pages.text(request))
        let page = SitePage(.players, request, context)
        let wanted = try PageRequest(request)
        let found = try await scoreboard.players(search: wanted.query, after: wanted.cursor, limit: 50)
        let choice = ListChoice(orders: [], usualOrder: "", order: "")
        let chosen: OpaqueID? = if case .player(let player, _, _) = detail { player.id } else { nil }
        let list = page.list(wanted, choice, next: found.next, isEmpty: found.items.isEmpty)
        let kept = list["kept"] as? String ?? ""
        let query = kept.isEmpty ? "" : "?\(kept.dropLast())"
        let mayManage = context.may(.manage, .system)
        var values: [String: Any] = list.merging(
            [
                "p": text, "s": board, "menu": pages.menu(ScoreboardPath.players, request),
                "action": ScoreboardPath.players, "newPath": ScoreboardPath.newPlayer,
                "importPath": mayManage ? ScoreboardPath.importPlayers as Any : false,
                "players": found.items.map { player in
                    Self.row(player, text, .preferred(request.headers[.acceptLanguage]), scoreboard.today).merging([
                        "path": ScoreboardPath.player(player.id.text) + query, "current": player.id == chosen,
                    ]) { $1 }
                },
                "isAlone": { if case .none = detail { true } else { false } }(),
            ]) { $1 }
        values["problem"] = detail.problem ?? false
        values["done"] = PageRequest.value(of: Self.savedParameter, in: request) == nil ? false : text.saved as Any
        values["detail"] = self.detail(detail, text, request, context)
        var response = try page.response(values, title: text.players, status: status)
        response.headers[.cacheControl] = "private, no-store"
        return response
    }

    /// The values of a player's line, and of the head of the details.
    private static func row(
        _ player: ScorePlayer, _ text: MatchPlayersText, _ language: SiteLanguage, _ today: CivilDate
    ) -> [String: Any] {
        let age = ScorePlayer.age(bornOn: player.birthDate, on: today)
        return [
            "first": SitePage.displayed(player.firstName), "last": SitePage.displayed(player.lastName),
            "avatar": SitePage.avatar(
                player.fullName, photo: ResourcePaths.photo(ofPlayer: player.id.text, player.photo)),
            "flag": FlagDrawings.path(of: player.country),
            "country": CountryNames.name(of: player.country, in: language),
            "age": text.age.filled("age", with: "\(age)"), "gender": text.name(of: player.gender),
            "extra": player.extra.isEmpty ? false : SitePage.displayed(player.extra) as Any,
        ]
    }

    private func detail(
        _ detail: Detail, _ text: MatchPlayersText, _ request: Request, _ context: GatewayRequestContext
    ) -> Any {
        let language = SiteLanguage.preferred(request.headers[.acceptLanguage])
        func values(_ form: PageForm) -> [String: Any] { form.values(csrf: context.csrfToken) }
        switch detail {
        case .none: return false
        case .new(let sent, _):
            let form = PageForm(
                action: ScoreboardPath.newPlayer, fields: Self.fields(nil, sent, text, language), button: text.create)
            return ["heading": text.add, "forms": [values(form)], "player": false, "report": false, "text": false]
                as [String: Any]
        case .table(let outcome, _):
            let form = PageForm(
                action: ScoreboardPath.importPlayers,
                fields: [
                    PageForm.Field(
                        name: "trial", label: text.trial, type: "checkbox", value: "1",
                        isChecked: outcome.map { $0.isTrial && !$0.report.problems.isEmpty } ?? true),
                    PageForm.Field(
                        name: "table", label: text.chooseTable, type: "file", isRequired: true,
                        accepted: ["text/csv", ".csv"]),
                ], button: text.importButton, sendsFile: true)
            return [
                "heading": text.importPlayers, "forms": [values(form)], "player": false,
                "text": text.importText.filled(
                    "rows", with: "\(PlayerTable.maximumRowCount)", ["size": "\(PlayerTable.maximumByteCount >> 20)"]),
                "report": outcome.map { Self.report($0, text) } ?? false,
            ] as [String: Any]
        case .player(let player, let sent, _):
            let path = ScoreboardPath.player(player.id.text)
            let name = SitePage.displayed(player.fullName)
            var forms: [PageForm] = []
            if context.may(.manage, .system) {
                forms.append(
                    PageForm(
                        action: path,
                        fields: [.version("\(player.revision)")] + Self.fields(player, sent, text, language),
                        button: text.save))
            } else {
                let extra = PageForm.Field(
                    name: FieldName.extra.rawValue, label: text.extra,
                    value: sent?[FieldName.extra.rawValue] ?? player.extra)
                forms.append(
                    PageForm(
                        action: path + Self.extraSuffix, fields: [.version("\(player.revision)"), extra],
                        button: text.save))
            }
            var photo: [PageForm] = []
            if pages.pages.photos != nil {
                photo.append(
                    PageForm(
                        action: path + Self.photoSuffix, fields: [.photo("photo", label: text.choosePhoto, text)],
                        button: text.usePhoto, isQuiet: true, sendsFile: true))
            }
            if player.photo != nil {
                photo.append(
                    PageForm(action: path + Self.removalSuffix, button: text.removePhoto, isDangerous: true))
            }
            let deletion = PageForm(action: path + Self.deletionSuffix, button: text.delete, isDangerous: true)
            let image: Any =
                ResourcePaths.photo(ofPlayer: player.id.text, player.photo).map { photo in
                    ["path": photo, "alt": text.photoOf.filled("name", with: name)]
                } ?? false
            return [
                "heading": name, "forms": forms.map(values), "report": false, "text": false,
                "player": Self.row(player, text, language, scoreboard.today).merging([
                    "image": image, "photoForms": photo.map(values), "photoHeading": text.photo,
                    "photoText": text.photoText, "editHeading": text.edit,
                    "deletion": context.may(.manage, .system)
                        ? ["heading": text.delete, "text": text.deleteText, "forms": [values(deletion)]] as Any : false,
                ]) { $1 },
            ] as [String: Any]
        }
    }

    private static func fields(
        _ player: ScorePlayer?, _ sent: FormFields?, _ text: MatchPlayersText, _ language: SiteLanguage
    ) -> [PageForm.Field] {
        func field(
            _ name: FieldName, _ label: String, _ value: String?, type: String = "text", isRequired: Bool = true
        ) -> PageForm.Field {
            PageForm.Field(
                name: name.rawValue, label: label, type: type, value: sent?[name.rawValue] ?? value ?? "",
                isRequired: isRequired)
        }
        var gender = field(.gender, text.gender, player?.gender.rawValue, type: "select")
        gender.options =
            [(value: "", label: "–")] + ScorePlayer.Gender.allCases.map { ($0.rawValue, text.name(of: $0)) }
        var country = field(.country, text.country, player?.country, type: "select")
        country.options =
            [(value: "", label: "–")]
            + CountryNames.sorted(in: language).map { (value: $0.code, label: $0.name) }
        return [
            field(.firstName, text.firstName, player?.firstName), field(.lastName, text.lastName, player?.lastName),
            gender, country, field(.birthDate, text.birthDate, player?.birthDate.description, type: "date"),
            field(.extra, text.extra, player?.extra, isRequired: false),
        ]
    }

    // MARK: Changes

    private static func data(_ sent: FormFields) -> Scoreboard.PlayerData {
        func value(_ name: FieldName) -> String { sent.text(name.rawValue) ?? "" }
        var data = Scoreboard.PlayerData()
        (data.firstName, data.lastName, data.country) = (value(.firstName), value(.lastName), value(.country))
        data.gender = ScorePlayer.Gender(rawValue: value(.gender))
        data.birthDate = CivilDate(parsing: value(.birthDate))
        data.extra = value(.extra)
        return data
    }

    /// The sentence about a refusal, in the visitor's language.
    private func sentence(_ refusal: Refusal, _ request: Request) -> String {
        let text = pages.playersText(request)
        if refusal.code == .tooMany { return text.full.filled("count", with: "\(ScorePlayer.maximumCount)") }
        return text.sentence(about: refusal) ?? pages.pages.text(request).error(refusal)
    }

    private func create(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        try requireReferee(context)
        let sent = try await FormFields(request)
        do {
            let made = try await scoreboard.createPlayers([Self.data(sent)])
            guard let player = made.first else { throw ProblemDetails(.internalServerError) }
            return redirect(player.id)
        } catch let refusal as Refusal {
            return try await list(
                .new(sent, sentence(refusal, request)), request, context, status: .unprocessableContent)
        }
    }

    private func change(
        _ request: Request, _ context: GatewayRequestContext,
        _ read: (FormFields) -> Scoreboard.PlayerData
    ) async throws -> Response {
        try requireReferee(context)
        let id = try context.parameters.identifier(of: "player")
        let sent = try await FormFields(request)
        do {
            _ = try await scoreboard.changePlayer(id, from: sent.revisions, read(sent))
            return redirect(id)
        } catch let refusal as Refusal {
            let player = try await scoreboard.player(id)
            return try await list(
                .player(player, sent, sentence(refusal, request)), request, context,
                status: AccountPages.status(refusal))
        }
    }

    private func setPhoto(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        try requireReferee(context)
        guard let photos = pages.pages.photos else { throw ProblemDetails(.notFound) }
        let player = try await scoreboard.player(try context.parameters.identifier(of: "player"))
        func refusal(_ status: HTTPResponse.Status) async throws -> Response {
            let problem = PhotoPages.sentence(status, pages.pages.text(request))
            return try await list(.player(player, nil, problem), request, context, status: status)
        }
        do {
            guard let photo = try await photos.photo(in: request, from: context.uploadSender) else {
                return try await refusal(.unprocessableContent)
            }
            _ = try await scoreboard.setPhoto(photo, of: player.id)
            return redirect(player.id)
        } catch let error as ProblemDetails where error.status.kind == .clientError {
            return try await refusal(error.status)
        }
    }

    // MARK: Tables

    private func importPlayers(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let text = pages.playersText(request)
        let form = try await FileForm(request, noun: "table", maximumByteCount: PlayerTable.maximumByteCount)
        guard let file = form.file, file.readableBytes > 0 else {
            return try await list(.table(nil, text.noTable), request, context, status: .unprocessableContent)
        }
        let isTrial = form.fields["trial"] != nil
        do {
            let table = try PlayerTable(Array(file.readableBytesView))
            let report = try await scoreboard.importPlayers(table, isTrial: isTrial)
            return try await list(
                .table(ImportOutcome(report: report, isTrial: isTrial), nil), request, context,
                status: report.problems.isEmpty ? .ok : .unprocessableContent)
        } catch let problem as PlayerTable.Problem {
            let place = [text.place.filled("line", with: "\(problem.line)"), problem.column.map { text.name(of: $0) }]
                .compactMap(\.self).joined(separator: ", ")
            let sentence = text.wrongTable.filled(
                "reason", with: SitePage.displayed(problem.reason), ["place": place])
            return try await list(.table(nil, sentence), request, context, status: .unprocessableContent)
        } catch let refusal as Refusal {
            return try await list(
                .table(nil, sentence(refusal, request)), request, context, status: AccountPages.status(refusal))
        }
    }

    /// Limit of the lines that a page lists of each kind.
    private static let maximumLineCount = 100

    private static func report(_ outcome: ImportOutcome, _ text: MatchPlayersText) -> [String: Any] {
        let report = outcome.report
        let added = outcome.isTrial ? text.reportWouldAdd : text.reportAdded
        let problems = report.problems.prefix(maximumLineCount).map { problem in
            let place = [text.place.filled("line", with: "\(problem.line)"), problem.column.map { text.name(of: $0) }]
            return ["line": "\(place.compactMap(\.self).joined(separator: ", ")): \(text.sentence(about: problem))"]
        }
        let duplicates = report.duplicates.prefix(maximumLineCount).map { duplicate in
            let place = text.place.filled("line", with: "\(duplicate.line)")
            return ["line": "\(place): \(SitePage.displayed(duplicate.name))"]
        }
        return [
            "read": text.reportRead.filled("count", with: "\(report.read)"),
            "added": added.filled("count", with: "\(report.added)"),
            "problems": problems.isEmpty ? false : ["heading": text.problems, "lines": problems] as Any,
            "duplicates": duplicates.isEmpty ? false : ["heading": text.duplicates, "lines": duplicates] as Any,
        ]
    }
}
