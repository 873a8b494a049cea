/// The sender of a request, and its origin.
package struct Caller: Sendable, Hashable {
    package var principal: Principal
    package var origin: RequestOrigin

    package init(_ principal: Principal, _ origin: RequestOrigin) {
        (self.principal, self.origin) = (principal, origin)
    }
}
