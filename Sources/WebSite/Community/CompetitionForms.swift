import Accounts
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import SiteTexts
import Workflows

/// The forms with which operators make and change competitions. They work without a script.
struct CompetitionForms: Sendable {
    let pages: AccountPages
    let community: Community
    let images: CompetitionImageUpload

    private static let manages = AccessRule.needs(.manage, .library)
    private static let item = "\(CommunityPath.editing)/{id}"
    private static let defaultTimeZone = "Europe/Madrid"
    /// Limit of the standings in a form, as a browser sends them, so that the other fields have room.
    private static let maximumTableByteCount = FormFields.maximumByteCount - 2_048

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, CommunityPath.new, Self.manages) { request, context in
                try create(request, context)
            },
            Endpoint(.post, CommunityPath.new, Self.manages, handler: make),
            Endpoint(.get, Self.item, Self.manages) { request, context in
                try await edit(isSaved: Self.isSaved(request), request, context)
            },
            Endpoint(.post, Self.item, Self.manages, handler: change),
            Endpoint(.post, "\(Self.item)/\(CommunityPath.deletion)", Self.manages, handler: delete),
            Endpoint(.get, "\(Self.item)/\(CommunityPath.standings)", Self.manages) { request, context in
                try await standings(isSaved: Self.isSaved(request), request, context)
            },
            Endpoint(.post, "\(Self.item)/\(CommunityPath.standings)", Self.manages, handler: changeStandings),
            Endpoint(.post, "\(Self.item)/\(CommunityPath.image)", Self.manages, handler: setImage),
            Endpoint(.post, "\(Self.item)/\(CommunityPath.imageRemoval)", Self.manages) { _, context in
                let id = try Self.identifier(context)
                _ = try await community.setImage(nil, ofCompetition: id, by: context.caller)
                return pages.redirect("\(CommunityPath.edit(id))?hecho=1")
            },
        ]
    }

    private static func isSaved(_ request: Request) -> Bool { PageRequest.value(of: "hecho", in: request) != nil }

    private static func identifier(_ context: GatewayRequestContext) throws -> OpaqueID {
        guard let id = OpaqueID(parsing: try context.parameters.require("id")) else { throw ProblemDetails(.notFound) }
        return id
    }

    private static func text(_ request: Request) -> CommunityText { .preferred(request.headers[.acceptLanguage]) }

    // MARK: What a form says

    /// An operator's entries for a competition.
    private struct Written {
        var name: String
        var description: String
        var schedule: CompetitionSchedule

        /// - Throws: `Refusal` with `invalidField`.
        init(_ sent: FormFields) throws(Refusal) {
            guard let firstDay = CivilDate(parsing: sent.text("firstDay") ?? "") else {
                throw Refusal(.invalidField, "the first day is not a date", field: "firstDay")
            }
            guard let dayCount = Int(sent.text("dayCount") ?? "") else {
                throw Refusal(.invalidField, "the number of days is not a number", field: "dayCount")
            }
            schedule = try CompetitionSchedule(
                timeZone: sent.text("timeZone") ?? "", firstDay: firstDay, dayCount: dayCount)
            (name, description) = (sent["name"] ?? "", sent["description"] ?? "")
        }
    }

    /// - Parameters:
    ///   - competition: the competition; `nil` for one that is made.
    ///   - sent: the values of the form that led here; `nil` for those that there are.
    ///   - error: what was wrong with them.
    private static func fields(
        _ competition: Competition?, _ sent: FormFields?, _ error: Refusal?, _ text: CommunityText
    ) -> [PageForm.Field] {
        func field(_ name: String, _ label: String, _ value: String?, type: String = "text") -> PageForm.Field {
            .init(
                name: name, label: label, type: type, value: sent?[name] ?? value ?? "",
                isRequired: name != "description", error: error?.field == name ? text.refusals[name] : nil)
        }
        let schedule = competition?.schedule
        var zone = field("timeZone", text.timeZoneField, schedule?.zone.identifier ?? defaultTimeZone, type: "select")
        zone.options = CompetitionZone.identifiers.map { ($0, $0) }
        return [
            field("name", text.name, competition?.name),
            field("description", text.description, competition?.description, type: "textarea"), zone,
            field("firstDay", text.firstDay, schedule?.firstDay.description, type: "date"),
            field("dayCount", text.dayCount, "\(schedule?.dayCount ?? 1)", type: "number"),
        ]
    }

    private static func message(_ error: Refusal?, _ text: CommunityText) -> String? {
        error.map { $0.code == .changedMeanwhile ? text.changedMeanwhile : text.wrong }
    }

    private static func status(_ error: Refusal?) -> HTTPResponse.Status {
        error.map { ProblemDetails($0).status } ?? .ok
    }

    /// Whether a page says what is wrong, instead of the answer to the error.
    private static func isShown(_ error: Refusal) -> Bool {
        [.changedMeanwhile, .emptyField, .invalidField].contains(error.code)
    }

    // MARK: Making

    private func create(
        sent: FormFields? = nil, error: Refusal? = nil, _ request: Request, _ context: GatewayRequestContext
    ) throws -> Response {
        let text = Self.text(request)
        let section = PageSection(
            forms: [
                PageForm(
                    action: CommunityPath.new, fields: Self.fields(nil, sent, error, text), button: text.create)
            ], links: [(CommunityPath.community, text.back)])
        return try pages.answer(
            text.new, [section], error: Self.message(error, text), request, context, status: Self.status(error))
    }

    private func make(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        do {
            let written = try Written(sent)
            let made = try await community.createCompetition(
                name: written.name, description: written.description, schedule: written.schedule, by: context.caller)
            return pages.redirect("\(CommunityPath.edit(made.id))?hecho=1")
        } catch let error as Refusal where Self.isShown(error) {
            return try create(sent: sent, error: error, request, context)
        }
    }

    // MARK: Changing

    private func edit(
        sent: FormFields? = nil, error: Refusal? = nil, problem: String? = nil, isSaved: Bool = false,
        _ request: Request, _ context: GatewayRequestContext, status: HTTPResponse.Status? = nil
    ) async throws -> Response {
        let text = Self.text(request)
        let competition = try await community.competition(try Self.identifier(context))
        let id = competition.id
        let version = PageForm.Field.version(String(competition.revision))
        let form = PageSection(
            heading: competition.name,
            forms: [
                PageForm(
                    action: CommunityPath.edit(id), fields: [version] + Self.fields(competition, sent, error, text),
                    button: text.save)
            ],
            links: [
                (CommunityPath.edit(id, CommunityPath.standings), text.editStandings),
                (
                    CommunityPath.edit(id, CommunityPath.map),
                    MapText.preferred(request.headers[.acceptLanguage]).edit
                ),
                (CommunityPath.competition(id), text.backToCompetition),
            ])
        let deletion = PageSection(
            heading: text.delete, text: text.deleteText,
            forms: [
                PageForm(
                    action: CommunityPath.edit(id, CommunityPath.deletion), fields: [version], button: text.delete,
                    isDangerous: true)
            ])
        return try pages.answer(
            text.edit, [form, image(of: competition, text), deletion],
            error: problem ?? Self.message(error, text), notice: isSaved ? text.saved : nil, request, context,
            status: status ?? Self.status(error))
    }

    private func change(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let id = try Self.identifier(context)
        let sent = try await FormFields(request)
        do {
            let written = try Written(sent)
            _ = try await community.changeCompetition(id, from: sent.revisions ?? [], by: context.caller) {
                ($0.name, $0.description, $0.schedule) = (written.name, written.description, written.schedule)
            }
            return pages.redirect("\(CommunityPath.edit(id))?hecho=1")
        } catch let error as Refusal where Self.isShown(error) {
            return try await edit(sent: sent, error: error, request, context)
        }
    }

    private func delete(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let id = try Self.identifier(context)
        let sent = try await FormFields(request)
        do {
            try await community.deleteCompetition(id, from: sent.revisions ?? [], by: context.caller)
            return pages.redirect(CommunityPath.community)
        } catch let error as Refusal where error.code == .changedMeanwhile {
            return try await edit(error: error, request, context)
        }
    }

    // MARK: Images

    private func image(of competition: Competition, _ text: CommunityText) -> PageSection {
        var section = PageSection(
            heading: text.image, text: text.imageText,
            forms: [
                PageForm(
                    action: CommunityPath.edit(competition.id, CommunityPath.image),
                    fields: [.init(name: "image", label: text.chooseImage, type: "file", isRequired: true)],
                    button: text.useImage, sendsFile: true)
            ])
        if let path = ResourcePaths.image(competition) {
            section.image = (path, text.image)
            section.forms.append(
                PageForm(
                    action: CommunityPath.edit(competition.id, CommunityPath.imageRemoval), button: text.removeImage,
                    isDangerous: true))
        }
        return section
    }

    private func setImage(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let id = try Self.identifier(context)
        // Nobody decodes an image for what is not there.
        _ = try await community.competition(id)
        let text = Self.text(request)
        do {
            guard let image = try await images.image(in: request) else {
                throw ProblemDetails(.unprocessableContent)
            }
            _ = try await community.setImage(image, ofCompetition: id, by: context.caller)
            return pages.redirect("\(CommunityPath.edit(id))?hecho=1")
        } catch let error as ProblemDetails where error.status.kind == .clientError {
            return try await edit(
                problem: error.status == .contentTooLarge ? text.imageTooLarge : text.imageNotUsable, request, context,
                status: error.status)
        }
    }

    // MARK: Standings

    private func standings(
        sent: FormFields? = nil, error: Refusal? = nil, isSaved: Bool = false, _ request: Request,
        _ context: GatewayRequestContext
    ) async throws -> Response {
        let text = Self.text(request)
        let (standings, competition) = try await community.standings(of: try Self.identifier(context))
        let table = sent?["table"] ?? standings.csv
        var section = PageSection(
            heading: competition.name, links: [(CommunityPath.competition(competition.id), text.backToCompetition)])
        if Self.fitsIntoForm(table) {
            section.text = text.standingsText
            section.forms = [
                PageForm(
                    action: CommunityPath.edit(competition.id, CommunityPath.standings),
                    fields: [
                        .version(String(competition.revision)),
                        .init(
                            name: "table", label: text.table, type: "textarea", value: table,
                            error: error?.code == .invalidField ? text.refusals["standings"] : nil),
                    ], button: text.save)
            ]
        } else {
            section.text = text.tooLargeForForm
        }
        return try pages.answer(
            text.editStandings, [section], error: Self.message(error, text), notice: isSaved ? text.saved : nil,
            request, context, status: Self.status(error))
    }

    /// Whether a form takes a text, of which a browser writes most bytes other than letters and digits with three.
    private static func fitsIntoForm(_ text: String) -> Bool {
        let byteCount = text.utf8.reduce(0) { count, byte in
            let character = Unicode.Scalar(byte)
            let isPlain = character.isASCII && (character.properties.isAlphabetic || ("0"..."9").contains(character))
            // A line break is sent as two characters.
            return count + (isPlain ? 1 : character == "\n" ? 6 : 3)
        }
        return byteCount <= maximumTableByteCount
    }

    private func changeStandings(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let id = try Self.identifier(context)
        let sent = try await FormFields(request)
        do {
            let standings = try Standings(csv: Array((sent["table"] ?? "").utf8))
            _ = try await community.setStandings(
                standings, of: id, from: sent.revisions ?? [], by: context.caller)
            return pages.redirect("\(CommunityPath.edit(id, CommunityPath.standings))?hecho=1")
        } catch let error as Refusal where Self.isShown(error) {
            return try await self.standings(sent: sent, error: error, request, context)
        }
    }
}
