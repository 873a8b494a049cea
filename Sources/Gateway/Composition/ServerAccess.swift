import APIContract
import Accounts
import Features
import HTTPEndpoints
import Logging
import LogMetadata
import MediaAccess
import ServerSettings
import VideoClub

/// Who may do what on a server: its accounts, its own token, and what else lets viewers in.
struct ServerAccess: Sendable {
    let accounts: Accounts
    let links: MediaLinks
    let club: VideoClub
    let authority: RequestAuthority
    /// `nil` for a server that accepts no tokens of others.
    let tokens: MediaTokens?
    /// `nil` for a server without a hook.
    let hook: AuthorizationHook?

    /// - Parameters:
    ///   - base: what the server stands on.
    ///   - parts: its domains.
    /// - Throws: `ServerStartError`
    static func open(_ base: ServerBase, _ parts: Parts) async throws -> ServerAccess {
        let (configuration, logger) = (base.configuration, base.logger)
        let accounts = try parts.require(Accounts.self)
        let tokens: MediaTokens? =
            if let tokens = configuration.mediaTokens {
                try await MediaTokensStart(configuration: tokens, logger: logger).open()
            } else { nil }
        let authority = RequestAuthority(
            token: try operatorToken(base.data, logger), accounts: accounts, proxies: configuration.proxies,
            publicAddress: configuration.publicAddress, logger: logger)
        return ServerAccess(
            accounts: accounts, links: try parts.require(MediaLinks.self), club: try parts.require(VideoClub.self),
            authority: authority, tokens: tokens,
            hook: configuration.authorizationHook.map { AuthorizationHookStart.open($0, logger: logger) })
    }

    private static func operatorToken(_ data: DataDirectory, _ logger: Logger) throws -> OperatorToken {
        let (token, isNew) = try OperatorToken.load(orMakeIn: data.path)
        if isNew {
            logger.notice(
                "operator token created; requests that change something need it",
                metadata: [.file: "\(data.path(of: OperatorToken.fileName))"])
        }
        return token
    }
}
