package import Accounts

/// The rule for the senders of a request. Every ``Endpoint`` has one, so none is reachable by accident.
///
/// A rule that asks for an account and not for a permission says what a token needs, so that a token with few
/// permissions is not its owner: see ``TokenNeed``. The other rules name the permission anyway.
package enum AccessRule: Sendable {
    /// Finds the thing that a request is about. It must not look anything up that the answer could reveal.
    package typealias ResourceFinder = @Sendable (GatewayRequestContext) throws -> Resource

    /// The response is the same for everybody and holds nothing of the station, such as a style sheet. Credentials are
    /// not looked at.
    case open(reason: String)
    /// Anybody may send the request, such as a log-in, and the handler is told who does.
    case anyone(TokenNeed, reason: String)
    /// Everybody with an account; the handler deals with what belongs to it.
    case member(TokenNeed, reason: String)
    /// Everybody with an account, or a device of theirs that keeps offline copies; the handler deals with what belongs
    /// to them. No other rule lets a device's credential in.
    case memberOrDevice(TokenNeed, reason: String)
    /// Everybody who is not a stranger; the handler asks for the permission that the request's content needs.
    case credentialed(TokenNeed, reason: String)
    /// Clients that may do something with a thing that is the same for all requests.
    case needs(Action, Resource)
    /// Clients that may do something with the thing that the path names.
    case depends(Action, ResourceFinder)
    /// Anybody who may read the site; the handler leaves out what they may not see.
    case filters(reason: String)
    /// The same for channels and events, which a token that is limited to channels may read as far as it reaches. The
    /// handler asks for permissions only, and shows nothing that belongs to the sender.
    case filtersChannels(reason: String)

    /// Clients that may do something with the channel that the path names as `{name}`.
    package static func channel(_ action: Action) -> AccessRule {
        .depends(action) { context in context.identity.audiences.channel(try context.parameters.require("name")) }
    }

    /// Clients that may read the metrics: those who may read the system, or everybody if the operator says so.
    package static let metrics = AccessRule.depends(.read) { context in
        context.identity.mayReadMetrics ? .site : .system
    }

    /// Clients that may do something with the title that the path names as `{id}`.
    package static func title(_ action: Action) -> AccessRule {
        .depends(action) { context in context.identity.audiences.title(id: try context.parameters.require("id")) }
    }

    /// Clients that may do something with the track that the path names as `{id}`.
    package static func track(_ action: Action) -> AccessRule {
        .depends(action) { context in context.identity.audiences.track(id: try context.parameters.require("id")) }
    }

    /// Clients that may read titles in general, or one of them; the handler leaves out the others.
    package static let titles = AccessRule.depends(.read) { context in
        let audiences = context.identity.audiences
        return context.mayRead(one: audiences.items.titles.values, of: audiences.title) ? .site : audiences.title
    }

    /// Clients that may read tracks in general, or one of them; the handler leaves out the others.
    package static let tracks = AccessRule.depends(.read) { context in
        let audiences = context.identity.audiences
        return context.mayRead(one: audiences.items.tracks.values, of: audiences.track) ? .site : audiences.track
    }

    /// Clients that may see jobs, which name files.
    package static let jobs = AccessRule.depends(.read) { context in context.identity.audiences.jobs }

    /// Whether the credential of a device that keeps offline copies is accepted.
    var includesDevices: Bool {
        if case .memberOrDevice = self { true } else { false }
    }

    /// The permission that a token needs. Where strangers may send the request, a token that lacks it is a stranger.
    package var tokenNeed: TokenNeed {
        switch self {
        case .open: .any
        case .anyone(let need, _), .member(let need, _), .memberOrDevice(let need, _), .credentialed(let need, _): need
        case .needs(let action, _), .depends(let action, _): .permission([action])
        case .filters, .filtersChannels: .read
        }
    }

    /// Whether a stranger may send the request if the site is open to strangers.
    package var includesStrangers: Bool {
        switch self {
        case .open, .anyone, .filters, .filtersChannels: true
        case .member, .memberOrDevice, .credentialed: false
        case .needs(let action, let resource):
            Permissions(isOpenToStrangers: true).may(.anonymous, action, resource).isAllowed
        // Channels and titles are public unless the operator says otherwise.
        case .depends(let action, _):
            action == .read
        }
    }
}

extension GatewayRequestContext {
    /// Whether the sender may read one of the titles or tracks with an audience of their own, but not those without.
    fileprivate func mayRead(one items: some Collection<ItemAudience>, of section: Resource) -> Bool {
        guard !items.isEmpty, !may(.read, section) else { return false }
        return items.contains { item in
            var resource = section
            resource.audience = item.audience ?? section.audience
            resource.invited = item.invited
            return may(.read, resource)
        }
    }
}
