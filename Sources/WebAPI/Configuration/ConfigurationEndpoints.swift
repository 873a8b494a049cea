import APIDeclarations
import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import LibraryCore
import MediaIntake
import NIOCore
import Workflows

/// `/api/v1/configuration`: reads and changes `channels.json`, which stays what the server starts with.
struct ConfigurationEndpoints: Sendable {
    /// Changes the file; `nil` if the server has no `channels.json`.
    let reloader: (any ChannelsReloading)?
    /// Keeps the images of channels.
    let content: any ContentSource

    private static let path = "/api/v1/configuration"
    private static let channel = "\(path)/channels/{name}"
    private static let cover = "\(channel)/cover"
    private static let rule = AccessRule.needs(.administer, .system)

    /// Limit of a body; the file itself is limited to 4 MiB.
    static let maximumBodyByteCount = 256 * 1_024

    var endpoints: [Endpoint] {
        [
            Endpoint(ConfigurationAPI.getConfiguration, Self.rule) { _, _ in
                let current = try await configuration()
                return current.document.response().adding(.eTag, EntityTag(current.version).field)
            },
            Endpoint(ConfigurationAPI.changeConfiguration, Self.rule) { request, context in
                try await change(request, context, ConfigurationEdit.settings)
            },
            Endpoint(ConfigurationAPI.getConfiguredChannel, Self.rule) { _, context in
                let name = try context.parameters.require("name")
                let current = try await configuration()
                guard let channel = current.channel(named: name) else {
                    throw ProblemDetails.missing("channel", name, "GET \(Self.path) shows the file")
                }
                return channel.response().adding(.eTag, EntityTag(current.version).field)
            },
            Endpoint(ConfigurationAPI.replaceConfiguredChannel, Self.rule) { request, context in
                let name = try context.parameters.require("name")
                return try await change(request, context) { .setChannel(name: name, $0) }
            },
            Endpoint(ConfigurationAPI.changeConfiguredChannel, Self.rule) { request, context in
                let name = try context.parameters.require("name")
                return try await change(request, context) { .changeChannel(name: name, $0) }
            },
            Endpoint(ConfigurationAPI.deleteConfiguredChannel, Self.rule) { request, context in
                try await apply(.removeChannel(name: try context.parameters.require("name")), request, context)
            },
            Endpoint(ConfigurationAPI.setConfiguredChannelCover, Self.rule) { request, context in
                let match = try IfMatch.required(in: request)
                return try await setCover(
                    try await ImageBody.cover.required(in: request, from: .operators), match, context)
            },
            Endpoint(ConfigurationAPI.deleteConfiguredChannelCover, Self.rule) { request, context in
                try await setCover(nil, try IfMatch.required(in: request), context)
            },
        ]
    }

    private func configuration() async throws -> CurrentConfiguration {
        guard let reloader else { throw Self.noFile }
        return try await Self.translating { try await reloader.configuration() }
    }

    private func change(
        _ request: Request, _ context: GatewayRequestContext, _ edit: (JSONText) -> ConfigurationEdit
    ) async throws -> Response {
        let body = try await RequestBody.body(
            of: request, example: "{\"title\": \"Canal A\"}", maximumByteCount: Self.maximumBodyByteCount)
        return try await apply(edit(JSONText(body)), request, context)
    }

    private func apply(
        _ edit: ConfigurationEdit, _ request: Request, _ context: GatewayRequestContext
    ) async throws -> Response {
        try await answering(IfMatch.required(in: request)) { reloader, version in
            try await reloader.change(edit, version: version, isOnMachine: context.principal.isOnMachine)
        }
    }

    /// - Parameter image: `nil` for no image.
    private func setCover(
        _ image: ByteBuffer?, _ match: IfMatch, _ context: GatewayRequestContext
    ) async throws -> Response {
        let name = try context.parameters.require("name")
        return try await answering(match) { reloader, version in
            try await ChannelCoverChange(reloader: reloader, content: content).set(
                image, ofChannel: name, version: version, isOnMachine: context.principal.isOnMachine)
        }
    }

    /// Answers with what a change has changed.
    ///
    /// - Parameters:
    ///   - match: the versions that the change is for.
    ///   - change: makes the change, of the version that the file must have; `nil` for any.
    private func answering(
        _ match: @autoclosure () throws -> IfMatch,
        _ change: (any ChannelsReloading, String?) async throws -> (outcome: ChannelsReload, version: String)
    ) async throws -> Response {
        guard let reloader else { throw Self.noFile }
        let current = try await configuration()
        let version = try match().admitted(current.version)
        let changed = try await Self.translating { try await change(reloader, version) }
        return APIResources.reload(changed.outcome).response().adding(.eTag, EntityTag(changed.version).field)
    }

    private static let noFile = ProblemDetails(.conflict, "this server has no channels.json")

    private static func translating<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as JSONFileError {
            throw ProblemDetails(.unprocessableContent, "\(error)\nNothing was changed.", issues: error.issues)
        } catch let error as ReloadError {
            throw ProblemDetails(.serviceUnavailable, error.description)
        } catch let error as LibraryError {
            throw ProblemDetails(error)
        } catch let error as ConfigurationError {
            switch error.code {
            case .noSuchChannel: throw ProblemDetails(.notFound, error.description)
            case .changedMeanwhile: throw IfMatch.changedMeanwhile
            case .notPossible: throw ProblemDetails(.unprocessableContent, error.description)
            case .notAllowed: throw ProblemDetails(.forbidden, error.description)
            case .notWritable: throw ProblemDetails(.conflict, error.description)
            }
        }
    }
}
