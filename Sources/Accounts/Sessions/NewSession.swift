/// A session that somebody has just begun, with its secret, which nobody can ask for again.
package struct NewSession: Sendable, Hashable {
    package var session: Session
    package var secret: Secret
    package var member: Member

    /// The caller's new identity.
    package var principal: Principal { .session(member, session.id) }
}
