package import MediaCore

/// The sender of a request, and its origin.
package struct Caller: Sendable, Hashable {
    package var principal: Principal
    package var origin: RequestOrigin

    package init(_ principal: Principal, _ origin: RequestOrigin) {
        (self.principal, self.origin) = (principal, origin)
    }

    /// The member who sends the request.
    ///
    /// - Throws: `Refusal` with `loginNeeded`.
    package func requireMember() throws(Refusal) -> Member {
        guard let member = principal.member else { throw Refusal(.loginNeeded, "log in first") }
        return member
    }
}
