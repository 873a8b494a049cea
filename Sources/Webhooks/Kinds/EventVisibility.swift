package import Accounts
package import Events

/// The visibility of events for listeners and receivers.
package struct EventVisibility: Sendable {
    private let kinds: EventKinds
    private let principal: Principal
    private let permissions: Permissions
    private let audiences: AudienceRules

    /// - Parameters:
    ///   - principal: who listens.
    ///   - kinds: the events that there are.
    ///   - permissions: what the principal may.
    ///   - audiences: the audiences of channels, titles and tracks.
    package init(_ principal: Principal, _ kinds: EventKinds, permissions: Permissions, audiences: AudienceRules) {
        (self.principal, self.kinds, self.permissions, self.audiences) = (principal, kinds, permissions, audiences)
    }

    /// Whether a listener may receive the events of a subject.
    package func includes(_ subject: EventSubject) -> Bool {
        guard let resource = kinds.hearing(of: subject.kind)?(subject.name, principal, audiences) else { return false }
        return permissions.may(principal, .read, resource).isAllowed
    }
}
