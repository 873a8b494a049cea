package import Accounts
package import Hummingbird
import MediaCore
package import NIOCore

/// The context of a request: its connection's addresses, its sender, and the captured path components.
package struct GatewayRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The channel of the connection, or of the HTTP/2 stream.
    package let channel: any Channel
    /// The address of the connection; `nil` in tests without sockets. Behind a proxy it is the proxy's.
    package let remoteAddress: SocketAddress?
    /// The server's own address of the connection; `nil` in tests without sockets.
    package let localAddress: SocketAddress?
    /// The sender of the request; a stranger for endpoints with the rule `open`.
    package var identity: RequestIdentity
    /// The known facts about the sender when an error has left the handler.
    let knownSender = KnownSender()
    /// The number of unread notifications of a member who opens a page; `nil` for all other requests.
    package var unreadCount: Int?
    /// The look of the station, for pages.
    package var face = StationFace()
    /// The notices on top of the page.
    package var notices: [PageNotice] = []

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        remoteAddress = source.channel.clientAddress
        localAddress = source.channel.localAddress ?? source.channel.parent?.localAddress
        identity = RequestIdentity(
            Caller(.anonymous, RequestOrigin(AddressGroup(remoteAddress))),
            permissions: Permissions(isOpenToStrangers: false))
    }

    /// The captured components of the path, percent-decoded. Shadows Hummingbird's property, whose components are still
    /// encoded.
    package var parameters: PathParameters { PathParameters(encoded: coreContext.parameters) }

    package var caller: Caller { identity.caller }
    package var principal: Principal { identity.caller.principal }

    /// Whether the sender may do something.
    package func may(_ action: Action, _ resource: Resource) -> Bool {
        identity.permissions.may(principal, action, resource).isAllowed
    }

    /// Whether the sender may see jobs, which name files. While single titles or tracks have an audience of their own,
    /// jobs are for those who may read the library as a whole.
    package var mayReadJobs: Bool { may(.read, identity.audiences.jobs) }

    /// - Throws: ``ProblemDetails`` with 401 or 403 if the sender may not do something.
    package func require(_ action: Action, _ resource: Resource) throws {
        switch identity.permissions.may(principal, action, resource) {
        case .allowed: return
        case .loginNeeded: throw RequestAuthority.loginNeeded
        case .concealed:
            throw ProblemDetails.unknown(resource.kind, try resource.channel ?? parameters.require("id"))
        case .forbidden:
            throw ProblemDetails(
                .forbidden, "your account may not do this (\(action.rawValue), \(resource.kind.rawValue))")
        }
    }

    /// Lets a request pass that its endpoint's rule admits. A token that passes because strangers do is a stranger from
    /// here on, so that no handler shows it what belongs to its owner.
    ///
    /// - Throws: ``ProblemDetails`` with 401, 403 or 404.
    mutating func admit(by rule: AccessRule) throws {
        switch rule {
        case .open: break
        case .anyone(let need, _): try requireToken(need)
        case .member(let need, _):
            guard principal.member != nil else { throw refusalOfStrangers }
            try requireToken(need)
        case .memberOrDevice(let need, _):
            guard principal.member != nil || identity.device != nil else { throw refusalOfStrangers }
            try requireToken(need)
        case .credentialed(let need, _):
            guard principal != .anonymous else { throw refusalOfStrangers }
            try requireToken(need)
        case .filters: try act(.read, .site)
        case .filtersChannels:
            try require(.read, .site)
            if let scope = principal.scope, !scope.actions.contains(.read) { identity.caller.principal = .anonymous }
        case .needs(let action, let resource): try act(action, resource)
        case .depends(let action, let resource): try act(action, try resource(self))
        }
    }

    private mutating func act(_ action: Action, _ resource: Resource) throws {
        try require(action, resource)
        identity.caller.principal = identity.permissions.acting(principal, action, resource)
    }

    private func requireToken(_ need: TokenNeed) throws(ProblemDetails) {
        guard let scope = principal.scope, !need.isMet(by: scope) else { return }
        throw ProblemDetails(.forbidden, need.refusal)
    }

    /// The response to somebody who has no account.
    var refusalOfStrangers: ProblemDetails {
        guard principal == .anonymous else {
            return ProblemDetails(.forbidden, "this needs a logged-in user, not the server's own token")
        }
        return RequestAuthority.loginNeeded
    }

    /// The token for forms of this session; `nil` without a session.
    package var csrfToken: String? { identity.session.map(CSRFToken.text(for:)) }
}
