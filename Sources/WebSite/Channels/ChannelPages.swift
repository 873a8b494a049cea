import Accounts
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import LibraryCore
import LiveChannels
import MediaIntake
import NIOCore
import SiteTexts
package import Workflows

/// The form with which administrators change what people read about a channel. It works without a script, and writes
/// `channels.json`.
package struct ChannelPages: Sendable {
    private let pages: AccountPages
    private let content: any ContentSource
    private let reloader: any ChannelsReloading

    /// - Parameters:
    ///   - pages: the account pages, which look the same.
    ///   - content: the channels and their images.
    ///   - reloader: changes `channels.json`.
    package init(pages: AccountPages, content: any ContentSource, reloader: any ChannelsReloading) {
        (self.pages, self.content, self.reloader) = (pages, content, reloader)
    }

    /// The rule of the API's endpoints, because the form writes the server's configuration.
    private static let rule = AccessRule.needs(.administer, .system)
    private static let path = "\(EditingPath.channels){name}"

    package var endpoints: [Endpoint] {
        [
            Endpoint(.get, Self.path, Self.rule) { request, context in
                let isSaved = PageRequest.value(of: "hecho", in: request) != nil
                return try await page(
                    try await edited(context), notice: isSaved ? Self.text(request).saved : nil, request, context)
            },
            Endpoint(.post, Self.path, Self.rule, handler: change),
            Endpoint(.post, "\(Self.path)\(EditingPath.cover)", Self.rule) { request, context in
                let version = PageRequest.value(of: FormFields.versionField, in: request)
                return try await setCover(from: version, request, context) {
                    try await ImageBody.cover.required(in: request, from: .operators)
                }
            },
            Endpoint(.post, "\(Self.path)\(EditingPath.coverRemoval)", Self.rule) { request, context in
                let version = try await FormFields(request)[FormFields.versionField]
                return try await setCover(from: version, request, context) { nil }
            },
        ]
    }

    /// A channel of `channels.json` as it is at the moment.
    private struct Edited {
        var name: String
        var channel: JSONText
        /// The version of the file.
        var fileVersion: String

        /// A text that changes with every change of the channel. Changes of other channels leave a form usable.
        var version: String { EntityTag(of: channel).version }

        func value(_ field: Field) -> String? {
            guard case .string(let text) = channel[field.rawValue] else { return nil }
            return text
        }
    }

    /// The fields of the form, by their names in `channels.json`.
    private enum Field: String, CaseIterable {
        case title, description, artist, album, website, cover

        func label(_ text: ChannelText) -> String {
            switch self {
            case .title: text.title
            case .description: text.description
            case .artist: text.artist
            case .album: text.album
            case .website: text.website
            case .cover: text.cover
            }
        }

        /// The text that says which values the field accepts.
        func refusal(_ text: ChannelText) -> String {
            switch self {
            case .title: text.titleRefusal
            case .description: text.descriptionRefusal
            case .artist, .album: text.lineRefusal
            case .website: text.websiteRefusal
            case .cover: text.coverRefusal
            }
        }
    }

    private static func text(_ request: Request) -> ChannelText { .preferred(request.headers[.acceptLanguage]) }

    private func edited(_ context: GatewayRequestContext) async throws -> Edited {
        let name = try context.parameters.require("name")
        do {
            let current = try await reloader.configuration()
            guard let channel = current.channel(named: name) else { throw ProblemDetails(.notFound) }
            return Edited(name: name, channel: channel, fileVersion: current.version)
        } catch let error as JSONFileError {
            throw ProblemDetails(.conflict, "\(error)", issues: error.issues)
        }
    }

    /// - Parameters:
    ///   - edited: the channel.
    ///   - sent: the values of the form that led here; `nil` for those that there are.
    ///   - refusals: what is wrong with fields of that form.
    private func page(
        _ edited: Edited, sent: FormFields? = nil, refusals: [Field: String] = [:], error: String? = nil,
        notice: String? = nil, _ request: Request, _ context: GatewayRequestContext,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let text = Self.text(request)
        let fields = Field.allCases.map { field in
            PageForm.Field(
                name: field.rawValue, label: field.label(text), type: field == .description ? "textarea" : "text",
                value: sent?[field.rawValue] ?? edited.value(field) ?? "", error: refusals[field])
        }
        let form = PageSection(
            heading: edited.value(.title) ?? edited.name, text: text.introduction,
            forms: [
                PageForm(
                    action: EditingPath.channel(edited.name), fields: [.version(edited.version)] + fields,
                    button: text.save)
            ],
            links: [
                (ResourcePaths.live, text.back),
                (EditingPath.publishLinks(ofChannel: edited.name), text.publishLinks),
            ])
        return try pages.answer(
            text.heading, [form, image(of: edited, text)], error: error, notice: notice, request, context,
            status: status)
    }

    // MARK: Changes

    private func change(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        let edited = try await edited(context)
        var changes: [JSONText.Field] = []
        for field in Field.allCases where sent[field.rawValue] != nil {
            // Browsers send line breaks as CR LF.
            let value = sent.text(field.rawValue)?.replacing("\r\n", with: "\n")
            if value != edited.value(field) {
                changes.append((field.rawValue, value.map(JSONText.string) ?? .null))
            }
        }
        return try await saving(edited, version: sent[FormFields.versionField], sent: sent, request, context) {
            _ = try await reloader.change(
                .changeChannel(name: edited.name, .object(changes)), version: edited.fileVersion,
                isOnMachine: context.principal.isOnMachine)
        }
    }

    /// - Parameters:
    ///   - version: the version of the channel that the form has shown; `nil` for any.
    ///   - image: reads the new image; `nil` for none.
    private func setCover(
        from version: String?, _ request: Request, _ context: GatewayRequestContext,
        _ image: () async throws -> ByteBuffer?
    ) async throws -> Response {
        let edited = try await edited(context)
        return try await saving(edited, version: version, request, context) {
            _ = try await ChannelCoverChange(reloader: reloader, content: content).set(
                try await image(), ofChannel: edited.name, version: edited.fileVersion,
                isOnMachine: context.principal.isOnMachine)
        }
    }

    /// Makes a change, and shows the form again with what is wrong with it.
    private func saving(
        _ edited: Edited, version: String?, sent: FormFields? = nil, _ request: Request,
        _ context: GatewayRequestContext, _ change: () async throws -> Void
    ) async throws -> Response {
        let text = Self.text(request)
        func refused(
            _ error: String?, _ status: HTTPResponse.Status, _ refusals: [Field: String] = [:]
        ) async throws -> Response {
            try await page(
                try await self.edited(context), sent: sent, refusals: refusals, error: error, request, context,
                status: status)
        }
        guard version == nil || version == edited.version else {
            return try await refused(text.changedMeanwhile, .preconditionFailed)
        }
        do {
            try await change()
            return pages.redirect("\(EditingPath.channel(edited.name))?hecho=1")
        } catch let error as JSONFileError {
            let refusals = Self.refusals(error, text)
            guard refusals.isEmpty else { return try await refused(nil, .unprocessableContent, refusals) }
            return try await refused(text.mistake(error), .unprocessableContent)
        } catch let error as ConfigurationError {
            switch error.code {
            case .noSuchChannel: throw ProblemDetails(.notFound)
            case .changedMeanwhile: return try await refused(text.changedMeanwhile, .preconditionFailed)
            case .notPossible: return try await refused(text.notPossible, .unprocessableContent)
            case .notAllowed: return try await refused(nil, .forbidden, [.cover: text.coverNotAllowed])
            case .notWritable: return try await refused(text.fileNotWritable, .conflict)
            }
        } catch is ReloadError {
            return try await refused(text.busy, .serviceUnavailable)
        } catch let error as LibraryError {
            return try await refused(Self.refusal(of: ProblemDetails(error).status, text), ProblemDetails(error).status)
        } catch let error as ProblemDetails where error.status.kind == .clientError && error.status != .notFound {
            return try await refused(Self.refusal(of: error.status, text), error.status)
        }
    }

    /// The fields of the form that a check of the whole file refuses.
    private static func refusals(_ error: JSONFileError, _ text: ChannelText) -> [Field: String] {
        var refusals: [Field: String] = [:]
        for issue in error.issues {
            guard issue.field.hasPrefix("channels["), let name = issue.field.split(separator: ".").last,
                let field = Field(rawValue: String(name))
            else { continue }
            refusals[field] = field.refusal(text)
        }
        return refusals
    }

    private static func refusal(of status: HTTPResponse.Status, _ text: ChannelText) -> String {
        switch status.code {
        case 413: text.imageTooLarge
        case 429: text.busy
        case 403, 507: text.imageNotStored
        default: text.imageNotUsable
        }
    }

    // MARK: The image

    private func image(of edited: Edited, _ text: ChannelText) -> PageSection {
        let (path, version) = (EditingPath.channel(edited.name), edited.version)
        var section = PageSection(
            heading: text.image, text: text.imageText,
            forms: [
                PageForm(
                    action: "\(path)\(EditingPath.cover)?\(FormFields.versionField)=\(version)",
                    fields: [.init(name: "cover", label: text.chooseImage, type: "file", isRequired: true)],
                    button: text.useImage, sendsFile: true)
            ])
        guard edited.value(.cover) != nil else { return section }
        // The page's policy allows images of this server only.
        if let address = content.channel(named: edited.name)?.cover, address.hasPrefix("/") {
            section.image = (address, text.image)
        }
        section.forms.append(
            PageForm(
                action: path + EditingPath.coverRemoval, fields: [.version(version)], button: text.removeImage,
                isDangerous: true))
        return section
    }
}
