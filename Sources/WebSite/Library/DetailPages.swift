import Accounts
import Catalogue
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import LibraryCore
import LibraryDetails
import MediaCore
import MediaIntake
import NIOCore
import SiteTexts
import Workflows

/// The forms with which operators change what people read about titles and tracks. They work without a script.
struct DetailPages: Sendable {
    let pages: AccountPages
    let content: any TrackContent
    let library: any LibraryDetailEditing & LibraryImages

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "\(EditingPath.titles){id}", .title(.manage)) { request, context in
                try await show(.titles, request, context)
            },
            Endpoint(.post, "\(EditingPath.titles){id}", .title(.manage)) { request, context in
                try await change(.titles, request, context)
            },
            Endpoint(.get, "\(EditingPath.tracks){id}", .track(.manage)) { request, context in
                try await show(.tracks, request, context)
            },
            Endpoint(.post, "\(EditingPath.tracks){id}", .track(.manage)) { request, context in
                try await change(.tracks, request, context)
            },
            Endpoint(.post, "\(EditingPath.tracks){id}\(EditingPath.cover)", .track(.manage)) { request, context in
                let version = PageRequest.value(of: FormFields.versionField, in: request)
                return try await setCover(from: version, request, context) {
                    try await ImageBody.cover.required(in: request, from: .operators)
                }
            },
            Endpoint(.post, "\(EditingPath.tracks){id}\(EditingPath.coverRemoval)", .track(.manage)) {
                request, context in
                let version = try await FormFields(request)[FormFields.versionField]
                return try await setCover(from: version, request, context) { nil }
            },
        ]
    }

    private static func path(_ id: String, in section: LibrarySection) -> String {
        switch section {
        case .titles: EditingPath.title(id)
        case .tracks: EditingPath.track(id)
        }
    }

    private static func publicPath(_ id: String, in section: LibrarySection) -> String {
        let id = SitePage.queryComponent(id)
        return switch section {
        case .titles: "/videoclub?title=\(id)"
        case .tracks: "/radio?track=\(id)"
        }
    }

    private func layers(_ section: LibrarySection, _ id: String) async throws -> DetailLayers {
        guard let found = try await library.details(of: id, in: section) else {
            throw ProblemDetails(.notFound)
        }
        return found
    }

    private func show(
        _ section: LibrarySection, _ request: Request, _ context: GatewayRequestContext
    ) async throws -> Response {
        let id = try context.parameters.require("id")
        let text = DetailText.preferred(request.headers[.acceptLanguage])
        let isSaved = PageRequest.value(of: "hecho", in: request) != nil
        return try await page(
            section, id, try await layers(section, id), notice: isSaved ? text.saved : nil, request, context)
    }

    /// - Parameters:
    ///   - sent: the values of the form that led here; `nil` for those that there are.
    ///   - wrong: the fields whose values are not accepted.
    private func page(
        _ section: LibrarySection, _ id: String, _ layers: DetailLayers, sent: FormFields? = nil,
        wrong: Set<DetailField> = [],
        error: String? = nil, notice: String? = nil, _ request: Request, _ context: GatewayRequestContext,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let text = DetailText.preferred(request.headers[.acceptLanguage])
        let effective = layers.effective
        var fields = [
            PageForm.Field.version(layers.version)
        ]
        for field in section.detailFields {
            fields.append(
                PageForm.Field(
                    name: field.rawValue, label: text.labels[field] ?? field.rawValue,
                    type: field.kind == .text ? "textarea" : "text",
                    value: sent?[field.rawValue] ?? Self.written(effective[field]),
                    error: wrong.contains(field) ? text.refusal(field.kind) : nil))
        }
        var links = [(path: Self.publicPath(id, in: section), text: text.back)]
        if section == .titles {
            links.append((ClubPath.terms(id), ClubText.preferred(request.headers[.acceptLanguage]).terms))
        }
        let form = PageSection(
            heading: effective.text(.title), text: text.introduction,
            forms: [PageForm(action: Self.path(id, in: section), fields: fields, button: text.save)],
            links: links)
        var sections = [form]
        if section == .tracks, let track = try await content.track(id: id) { sections.append(cover(of: track, text)) }
        return try pages.answer(
            text.heading, sections, error: error, notice: notice, request, context, status: status)
    }

    // MARK: Covers

    private func cover(of track: AudioTrackRecord, _ text: DetailText) -> PageSection {
        let (path, version) = (EditingPath.track(track.id), Self.coverVersion(track))
        var section = PageSection(
            heading: text.cover, text: text.coverText,
            forms: [
                PageForm(
                    action:
                        "\(path)\(EditingPath.cover)?\(FormFields.versionField)=\(SitePage.queryComponent(version))",
                    fields: [.init(name: "cover", label: text.chooseImage, type: "file", isRequired: true)],
                    button: text.useImage, sendsFile: true)
            ])
        if let address = ResourcePaths.cover(track) { section.image = (address, text.cover) }
        if track.uploadedCover != nil {
            section.forms.append(
                PageForm(
                    action: path + EditingPath.coverRemoval, fields: [.version(version)], button: text.removeImage,
                    isDangerous: true))
        }
        return section
    }

    private static func coverVersion(_ track: AudioTrackRecord) -> String {
        track.shownCover.map { ResourcePaths.imageVersion($0.path) } ?? "none"
    }

    /// - Parameters:
    ///   - version: the version of the cover that the form has shown; `nil` for any.
    ///   - image: reads the new image; `nil` for none.
    private func setCover(
        from version: String?, _ request: Request, _ context: GatewayRequestContext,
        _ image: () async throws -> ByteBuffer?
    ) async throws -> Response {
        let id = try context.parameters.require("id")
        let text = DetailText.preferred(request.headers[.acceptLanguage])
        do {
            let image = try await image()
            let changed = try await library.setCover(ofTrack: id, to: image) { track in
                version == nil || Self.coverVersion(track) == version
            }
            guard changed != nil else { throw ProblemDetails(.notFound) }
            return pages.redirect("\(EditingPath.track(id))?hecho=1")
        } catch let error as LibraryError {
            return try await refusal(ProblemDetails(error), id, text, request, context)
        } catch let error as Refusal where error.code == .changedMeanwhile {
            return try await refusal(error.problem, id, text, request, context)
        } catch let error as ProblemDetails where error.status.kind == .clientError && error.status != .notFound {
            return try await refusal(error, id, text, request, context)
        }
    }

    private func refusal(
        _ problem: ProblemDetails, _ id: String, _ text: DetailText, _ request: Request,
        _ context: GatewayRequestContext
    ) async throws -> Response {
        let error =
            switch problem.status {
            case .contentTooLarge: text.imageTooLarge
            case .preconditionFailed: text.changedMeanwhile
            default: text.imageNotUsable
            }
        return try await page(
            .tracks, id, try await layers(.tracks, id), error: error, request, context, status: problem.status)
    }

    /// A value as the form shows it.
    private static func written(_ value: DetailValue?) -> String {
        switch value {
        case .text(let text): text
        case .number(let number): "\(number)"
        case .texts(let texts): texts.joined(separator: ", ")
        case nil: ""
        }
    }

    private func change(
        _ section: LibrarySection, _ request: Request, _ context: GatewayRequestContext
    ) async throws -> Response {
        let id = try context.parameters.require("id")
        let text = DetailText.preferred(request.headers[.acceptLanguage])
        let sent = try await FormFields(request)
        let layers = try await layers(section, id)
        let effective = layers.effective
        var (wishes, wrong) = (DetailWishes(), Set<DetailField>())
        for field in section.detailFields {
            guard let value = sent.text(field.rawValue) else {
                // A form without the field changes nothing.
                if sent[field.rawValue] != nil, layers.chosen[field] != nil { wishes[field] = .reset }
                continue
            }
            do throws(DetailError) {
                let new = try DetailValue(value, of: field)
                // What the file says is not made a choice by saving the form.
                if Self.written(new) != Self.written(effective[field]) { wishes[field] = .set(new) }
            } catch {
                wrong.insert(field)
            }
        }
        guard wrong.isEmpty else {
            return try await page(
                section, id, layers, sent: sent, wrong: wrong, request, context, status: .unprocessableContent)
        }
        do {
            let (version, wishes) = (sent[FormFields.versionField] ?? layers.version, wishes)
            let changed = try await library.chooseDetails(of: id, in: section, version: version) {
                wishes.apply(to: &$0)
            }
            guard changed != nil else { throw ProblemDetails(.notFound) }
            return pages.redirect("\(Self.path(id, in: section))?hecho=1")
        } catch let error as Refusal where error.code == .changedMeanwhile {
            return try await page(
                section, id, try await self.layers(section, id), sent: sent, error: text.changedMeanwhile, request,
                context, status: .preconditionFailed)
        }
    }
}
