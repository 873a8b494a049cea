package import Accounts
package import Events

/// Who may be told of which event, for those who listen and for receivers.
package struct EventVisibility: Sendable {
    private let principal: Principal
    private let permissions: Permissions
    private let audiences: AudienceRules

    package init(_ principal: Principal, permissions: Permissions, audiences: AudienceRules) {
        (self.principal, self.permissions, self.audiences) = (principal, permissions, audiences)
    }

    /// Whether somebody may be told of what happens to a subject.
    package func includes(_ subject: EventSubject) -> Bool {
        if subject.kind == .member, principal.member?.id.text != subject.name { return false }
        let resource: Resource =
            switch subject.kind {
            case .channel: audiences.channel(subject.name)
            case .title: audiences.title(id: subject.name)
            case .track: audiences.track(id: subject.name)
            case .job: audiences.jobs
            case .account: .accounts
            case .announcement: .system
            case .member: principal.member.map { .account($0.id) } ?? .accounts
            }
        return permissions.may(principal, .read, resource).isAllowed
    }
}
