import Accounts
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaIntake
import SiteTexts
import Workflows

/// The page on which operators give a competition a map. It works without a script.
struct CompetitionMapForms: Sendable {
    let pages: AccountPages
    let community: Community
    let maps: CompetitionMapUpload

    private static let manages = AccessRule.needs(.manage, .library)
    private static let page = "\(CommunityPath.editing)/{id}/\(CommunityPath.map)"
    private static let done = "hecho"

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, Self.page, Self.manages) { request, context in
                try await show(request, context)
            },
            Endpoint(.post, Self.page, Self.manages, handler: set),
            Endpoint(.post, "\(CommunityPath.editing)/{id}/\(CommunityPath.mapRemoval)", Self.manages) { _, context in
                let id = try context.parameters.identifier(of: "competition")
                _ = try await community.setMap(nil, ofCompetition: id, by: context.caller)
                return Self.saved(id, pages)
            },
        ]
    }

    private static func saved(_ id: OpaqueID, _ pages: AccountPages) -> Response {
        pages.redirect("\(CommunityPath.edit(id, CommunityPath.map))?\(done)=1")
    }

    /// - Parameters:
    ///   - sent: the fields of the form that led here; empty without one.
    ///   - problem: what was wrong with it.
    private func show(
        sent: [String: String] = [:], problem: String? = nil, _ request: Request, _ context: GatewayRequestContext,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let (text, pageText) = (
            MapText.preferred(request.headers[.acceptLanguage]),
            CommunityText.preferred(request.headers[.acceptLanguage])
        )
        let competition = try await community.competition(try context.parameters.identifier(of: "competition"))
        let id = competition.id
        var shown: CompetitionMap?
        if competition.map != nil { shown = try await community.map(MapQuery(id, visible: nil, reader: nil))?.map }
        func edge(_ name: String, _ label: String, _ degrees: Double?) -> PageForm.Field {
            .init(name: name, label: label, type: "decimal", value: sent[name] ?? degrees.map { "\($0)" } ?? "")
        }
        var bounds: MapBounds?
        if case .image = shown?.ground { bounds = shown?.bounds }
        let form = PageForm(
            action: CommunityPath.edit(id, CommunityPath.map),
            // The edges come before the file, which may be large.
            fields: [
                edge("north", text.north, bounds?.north), edge("west", text.west, bounds?.west),
                edge("south", text.south, bounds?.south),
                edge("east", text.east, bounds.map { $0.east > 180 ? $0.east - 360 : $0.east }),
                .init(
                    name: "map", label: text.file, type: "file", isRequired: true,
                    accepted: [".gpx", CompetitionMapUpload.gpxType] + ImageBody.types),
            ], button: text.use, sendsFile: true)
        var section = PageSection(
            heading: competition.name, text: "\(text.about) \(text.imageAbout)", forms: [form],
            links: [
                (CommunityPath.edit(id), pageText.edit), (CommunityPath.competition(id), pageText.backToCompetition),
            ])
        if let shown {
            section.code = MapDrawing(shown, [], of: id).svg(label: text.map)
            section.forms.append(
                PageForm(
                    action: CommunityPath.edit(id, CommunityPath.mapRemoval), button: text.remove, isDangerous: true))
        }
        let isSaved = PageRequest.value(of: Self.done, in: request) != nil
        return try pages.answer(
            text.edit, [section], error: problem, notice: isSaved ? pageText.saved : nil, request, context,
            status: status)
    }

    private func set(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let id = try context.parameters.identifier(of: "competition")
        // Nobody decodes an image for what is not there.
        _ = try await community.competition(id)
        let (text, pageText) = (
            MapText.preferred(request.headers[.acceptLanguage]),
            CommunityText.preferred(request.headers[.acceptLanguage])
        )
        let form: FileForm
        do {
            let limit = CompetitionMapUpload.maximumImageByteCount
            form = try await ImagePlaces.process.receive(
                ImagePlaces.byteCount(of: request, limit: limit), from: .operators
            ) { try await FileForm(request, noun: "map", maximumByteCount: limit) }
        } catch let error as ProblemDetails where error.status == .contentTooLarge {
            return try await show(problem: pageText.imageTooLarge, request, context, status: error.status)
        }
        do {
            guard let file = form.file, file.readableBytes > 0 else {
                return try await show(
                    sent: form.fields, problem: text.noFile, request, context, status: .unprocessableContent)
            }
            let bounds = try CompetitionMapUpload.bounds { edge in form.fields[edge].flatMap { $0.isEmpty ? nil : $0 } }
            let (map, image) = try await maps.map(of: CompetitionMapUpload.Sent(bytes: file, bounds: bounds))
            _ = try await community.setMap(map, image: image, ofCompetition: id, by: context.caller)
            return Self.saved(id, pages)
        } catch let failure as MapFailure {
            return try await show(
                sent: form.fields, problem: text.sentence(failure), request, context, status: .unprocessableContent)
        } catch let error as ProblemDetails where error.status.kind == .clientError {
            let problem = error.status == .contentTooLarge ? pageText.imageTooLarge : pageText.imageNotUsable
            return try await show(sent: form.fields, problem: problem, request, context, status: error.status)
        }
    }
}
