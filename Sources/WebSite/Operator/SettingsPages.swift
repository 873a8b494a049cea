import APIContract
import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import LibraryCore
import LiveChannels
import SiteTexts
import Workflows

/// The pages on which administrators change `channels.json`: the look of the station, all settings, and channels. They
/// work without a script, and show every mistake where the file's checks find it.
struct SettingsPages: Sendable {
    let pages: AccountPages
    let sources: OperatorSources

    /// The rule of the API's endpoints, because the forms write the server's configuration.
    private static let rule = AccessRule.needs(.administer, .system)
    private static let station = "\(OperatorPath.settings)/emisora"
    private static let savedParameter = "hecho"
    private static let nameField = "name"
    private static let maintenanceField = "maintenance"
    private static let documentField = "document"
    private static let textPrefix = "text-"

    var endpoints: [Endpoint] {
        guard let reloader = sources.reloader else { return [] }
        return [
            Endpoint(.get, OperatorPath.settings, Self.rule) { request, context in
                try await settings(reloader, request, context)
            },
            Endpoint(.post, OperatorPath.settings, Self.rule) { request, context in
                let sent = try await FormFields(request)
                return try await saving(sent, request, context) {
                    let current = try await reloader.configuration()
                    let new = try Self.parsed(sent)
                    let patch = Self.withoutChannels(current.document).mergePatch(to: new)
                    _ = try await reloader.change(
                        .settings(patch), version: sent[FormFields.versionField],
                        isOnMachine: context.principal.isOnMachine)
                    return OperatorPath.settings
                }
            },
            Endpoint(.post, Self.station, Self.rule) { request, context in
                let sent = try await FormFields(request)
                return try await saving(sent, request, context) {
                    _ = try await reloader.change(
                        .settings(.object([("site", Self.site(sent))])), version: nil,
                        isOnMachine: context.principal.isOnMachine)
                    return OperatorPath.settings
                }
            },
            Endpoint(.get, OperatorPath.newChannel, Self.rule) { request, context in
                try newChannel(request, context)
            },
            Endpoint(.post, OperatorPath.newChannel, Self.rule) { request, context in
                let sent = try await FormFields(request)
                return try await adding(sent, request, context) {
                    let current = try await reloader.configuration()
                    let name = sent.text(Self.nameField) ?? ""
                    guard current.channel(named: name) == nil else {
                        throw ConfigurationError(.notPossible, "there is a channel \"\(name)\" already")
                    }
                    _ = try await reloader.change(
                        .setChannel(name: name, Self.channel(sent, presets: Self.presets(of: current))),
                        version: nil, isOnMachine: context.principal.isOnMachine)
                    return EditingPath.channel(name)
                }
            },
        ]
    }

    private func text(_ request: Request) -> DashboardText { .preferred(request.headers[.acceptLanguage]) }

    // MARK: All settings

    private static func withoutChannels(_ document: JSONText) -> JSONText {
        guard case .members(let members) = document else { return document }
        return .members(members.filter { $0.name != "channels" && $0.name != "$schema" })
    }

    /// - Throws: `JSONFileError` for a text that is not JSON.
    private static func parsed(_ sent: FormFields) throws(JSONFileError) -> JSONText {
        do throws(JSONParsingError) {
            return JSONText(try JSONParser.parse((sent[documentField] ?? "").utf8))
        } catch {
            throw JSONFileError(
                file: "channels.json",
                issues: [JSONIssue(position: error.position, field: "", message: error.message)])
        }
    }

    private func settings(
        _ reloader: any ChannelsReloading, sent: FormFields? = nil, error: String? = nil, _ request: Request,
        _ context: GatewayRequestContext, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let text = text(request)
        let current: CurrentConfiguration
        do {
            current = try await reloader.configuration()
        } catch let error as JSONFileError {
            throw ProblemDetails(.conflict, "\(error)", issues: error.issues)
        }
        let site = current.document["site"]
        func value(_ name: String) -> String {
            guard case .string(let text)? = site?[name] else { return "" }
            return text
        }
        var fields: [PageForm.Field] = [
            .init(name: Self.nameField, label: text.stationName, value: sent?[Self.nameField] ?? value("name")),
            .init(
                name: "accent", label: text.accent, value: sent?["accent"] ?? value("accent"), autocomplete: "off"),
            .init(
                name: Self.maintenanceField, label: text.maintenance, type: "textarea",
                value: sent?[Self.maintenanceField] ?? value("maintenance")),
            .init(
                name: "formal", label: text.formal, type: "checkbox", value: "1",
                isChecked: site?["formal"] == .boolean(true)),
        ]
        for language in SiteLanguage.allCases {
            var own = ""
            if case .string(let text)? = site?["text"]?[language.rawValue] { own = text }
            let name = Self.textPrefix + language.rawValue
            fields.append(
                .init(
                    name: name, label: "\(text.stationText) (\(language.name))", type: "textarea",
                    value: sent?[name] ?? own))
        }
        let document = sent?[Self.documentField] ?? Self.withoutChannels(current.document).pretty
        return try pages.answer(
            text.settings,
            [
                PageSection(
                    heading: text.station, forms: [PageForm(action: Self.station, fields: fields, button: text.save)]),
                PageSection(
                    heading: text.allSettings, text: text.allSettingsText,
                    forms: [
                        PageForm(
                            action: OperatorPath.settings,
                            fields: [
                                .version(current.version),
                                .init(
                                    name: Self.documentField, label: "channels.json", type: "textarea", value: document,
                                    isRequired: true),
                            ], button: text.save, isQuiet: true)
                    ]),
                PageSection(
                    heading: text.channels,
                    links: sources.content.channels().map {
                        (EditingPath.channel($0.name), SitePage.displayed($0.title))
                    } + [(OperatorPath.newChannel, text.newChannel)]),
            ], error: error,
            notice: PageRequest.value(of: Self.savedParameter, in: request) == nil ? nil : text.saved,
            menu: OperatorPath.dashboard, request, context, status: status)
    }

    /// The section `site` of the file; what is empty is removed.
    private static func site(_ sent: FormFields) -> JSONText {
        func text(_ name: String) -> JSONText { sent.text(name).map(JSONText.string) ?? .null }
        let texts = SiteLanguage.allCases.map {
            ($0.rawValue, text(textPrefix + $0.rawValue)) as JSONText.Field
        }
        return .object([
            ("name", text(nameField)), ("accent", text("accent")),
            (maintenanceField, text(maintenanceField)),
            ("formal", sent.isOn("formal") ? .boolean(true) : .null),
            ("text", texts.contains { $0.value != .null } ? .object(texts) : .null),
        ])
    }

    private func saving(
        _ sent: FormFields, _ request: Request, _ context: GatewayRequestContext, _ change: () async throws -> String
    ) async throws -> Response {
        try await trying(change, request) { error, status in
            guard let reloader = sources.reloader else { throw ProblemDetails(.notFound) }
            return try await settings(reloader, sent: sent, error: error, request, context, status: status)
        }
    }

    // MARK: A new channel

    private static func presets(of current: CurrentConfiguration) -> [String] {
        guard case .members(let members)? = current.document["presets"] else { return [] }
        return members.map(\.name)
    }

    private static func channel(_ sent: FormFields, presets: [String]) -> JSONText {
        let name = sent.text(nameField) ?? ""
        var fields: [JSONText.Field] = [
            ("name", .string(name)), ("title", .string(sent.text("title") ?? name)),
            ("presets", .array(presets.map(JSONText.string))),
        ]
        if let first = presets.first { fields.append(("defaultPreset", .string(first))) }
        if let window = sent.text("dvrWindow") { fields.append(("dvrWindow", .string(window))) }
        if sent.isOn("record") { fields.append(("record", .string("always"))) }
        return .object(fields)
    }

    private func newChannel(
        sent: FormFields? = nil, error: String? = nil, _ request: Request, _ context: GatewayRequestContext,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let text = text(request)
        return try pages.answer(
            text.newChannel,
            [
                PageSection(
                    text: text.newChannelText,
                    forms: [
                        PageForm(
                            action: OperatorPath.newChannel,
                            fields: [
                                .init(
                                    name: Self.nameField, label: text.channelName, value: sent?[Self.nameField] ?? "",
                                    isRequired: true),
                                .init(name: "title", label: text.channelTitle, value: sent?["title"] ?? ""),
                                .init(name: "dvrWindow", label: text.timeShift, value: sent?["dvrWindow"] ?? ""),
                                .init(
                                    name: "record", label: text.recordAlways, type: "checkbox", value: "1",
                                    isChecked: sent?.isOn("record") == true),
                            ], button: text.create)
                    ], links: [(OperatorPath.settings, text.settings)])
            ], error: error, menu: OperatorPath.dashboard, request, context, status: status)
    }

    private func adding(
        _ sent: FormFields, _ request: Request, _ context: GatewayRequestContext, _ change: () async throws -> String
    ) async throws -> Response {
        try await trying(change, request) { error, status in
            try newChannel(sent: sent, error: error, request, context, status: status)
        }
    }

    /// Makes a change and goes to the page that it names, or shows what is wrong.
    private func trying(
        _ change: () async throws -> String, _ request: Request,
        _ refuse: (String, HTTPResponse.Status) async throws -> Response
    ) async throws -> Response {
        let text = text(request)
        do {
            return pages.redirect("\(try await change())?\(Self.savedParameter)=1")
        } catch let error as JSONFileError {
            return try await refuse("\(text.notSaved) \(error)", .unprocessableContent)
        } catch let error as ConfigurationError {
            let isStale = error.code == .changedMeanwhile
            return try await refuse(
                isStale ? text.changedMeanwhile : "\(text.notSaved) \(error)",
                isStale ? .preconditionFailed : .unprocessableContent)
        } catch let error as ReloadError {
            return try await refuse("\(text.notSaved) \(error)", .conflict)
        }
    }
}
