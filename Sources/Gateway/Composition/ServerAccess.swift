import APIContract
import Accounts
import Features
import HTTPEndpoints
import LogMetadata
import Logging
import MediaAccess
import ServerSettings
import VideoClub
import Viewing

/// The access to a server: its accounts, its own token, and the other credentials of viewers.
struct ServerAccess: Sendable {
    let accounts: Accounts
    let club: VideoClub
    let authority: RequestAuthority
    /// Decides who may watch.
    let viewing: ViewingGate
    /// Decides who may push.
    let publishing: PublishingGate

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
        let hook = configuration.authorizationHook.map { AuthorizationHookStart.open($0, logger: logger) }
        let (links, club) = (try parts.require(MediaLinks.self), try parts.require(VideoClub.self))
        return ServerAccess(
            accounts: accounts, club: club, authority: authority,
            viewing: ViewingGate(accounts: accounts, links: links, club: club, tokens: tokens, hook: hook),
            publishing: PublishingGate(accounts: accounts, links: links, tokens: tokens, hook: hook))
    }

    private static func operatorToken(_ data: DataDirectory, _ logger: Logger) throws -> OperatorToken {
        let (token, isNew) = try OperatorToken.load(orMakeIn: data.path)
        if isNew {
            logger.notice(
                "operator token created; write requests require it",
                metadata: [.file: "\(data.path(of: OperatorToken.fileName))"])
        }
        return token
    }
}
