/// The rules of who may do what.
package struct Permissions: Sendable, Hashable {
    /// Whether strangers may read what is public.
    package var isOpenToStrangers: Bool

    package init(isOpenToStrangers: Bool) { self.isOpenToStrangers = isOpenToStrangers }

    /// Decides whether somebody may do something. It looks nothing up, and depends on its arguments alone.
    ///
    /// A token may do what its owner may at this time and what its scope names, and in any case what strangers may.
    package func may(_ principal: Principal, _ action: Action, _ resource: Resource) -> Decision {
        let decision = decide(principal, action, resource)
        guard decision != .allowed, resource.audience == .invited, let audience = resource.unknownAudience else {
            return decision
        }
        let unknown = decide(principal, action, Resource(resource.kind, audience: audience, channel: resource.channel))
        return unknown == .allowed ? .concealed : unknown
    }

    /// The principal as which somebody does something: a stranger for a token whose limits do not include the action on
    /// the thing, and the principal itself otherwise.
    ///
    /// A token may do what strangers may, whatever its limits are. What a stranger is shown is then shown to it, and
    /// nothing that belongs to its owner.
    package func acting(_ principal: Principal, _ action: Action, _ resource: Resource) -> Principal {
        guard let scope = principal.scope, !scope.includes(action, resource) else { return principal }
        return .anonymous
    }

    private func decide(_ principal: Principal, _ action: Action, _ resource: Resource) -> Decision {
        switch principal {
        case .anonymous: return strangerMay(action, resource) ? .allowed : .loginNeeded
        case .machine: return .allowed
        case .session(let member, _): return memberMay(member, action, resource) ? .allowed : .forbidden
        case .apiToken(let member, _, let scope), .appPassword(let member, _, let scope):
            return scope.includes(action, resource) && memberMay(member, action, resource)
                || strangerMay(action, resource)
                ? .allowed : .forbidden
        }
    }

    private func strangerMay(_ action: Action, _ resource: Resource) -> Bool {
        isOpenToStrangers && resource.audience == .everyone
            && PermissionTable.reach(nil, action, resource.kind) >= .open
    }

    private func memberMay(_ member: Member, _ action: Action, _ resource: Resource) -> Bool {
        switch PermissionTable.reach(member.role, action, resource.kind) {
        case .any: return true
        case .open where resource.audience != .invited: return true
        case .open, .own:
            if resource.owner == member.id { return true }
        case .none: break
        }
        if action == .read, resource.invited.contains(member.id) { return true }
        guard let channel = resource.channel, PermissionTable.channelActions[action] == resource.kind else {
            return false
        }
        return member.channelGrants[channel]?.contains(action) ?? false
    }
}
