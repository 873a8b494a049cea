package import Accounts

/// The permission that an API token or app password needs for a request that is about its owner.
///
/// Sessions and the server's own token have no limits, so it holds for neither.
package enum TokenNeed: Sendable, Hashable, CustomStringConvertible {
    /// Any token: the answer holds nothing of its owner but their name.
    case any
    /// At least one of these permissions, without a limit to channels.
    case permission([Action])
    /// This permission, on the thing that the request's content names; the handler asks. A token that is limited to
    /// channels may name one of those.
    case permissionForThing(Action)
    /// No token: a person who has logged in sends the request.
    case session

    package static let read = TokenNeed.permission([.read])
    package static let upload = TokenNeed.permission([.upload])
    package static let comment = TokenNeed.permission([.comment])
    package static let rent = TokenNeed.permission([.rent])
    package static let manage = TokenNeed.permission([.manage])

    /// Whether a token with these limits will do.
    func isMet(by scope: Scope) -> Bool {
        switch self {
        case .any: true
        case .permission(let actions): scope.channels == nil && actions.contains(where: scope.actions.contains)
        case .permissionForThing(let action): scope.actions.contains(action)
        case .session: false
        }
    }

    /// The need as the API's description names it, such as `read`, `upload or manage`, `session` or `none`.
    package var description: String {
        switch self {
        case .any: "none"
        case .permission(let actions): actions.map(\.rawValue).joined(separator: " or ")
        case .permissionForThing(let action): action.rawValue
        case .session: "session"
        }
    }

    /// The reason for which a token is refused.
    var refusal: String {
        switch self {
        case .any, .session: "this needs a logged-in user, not a token"
        case .permission: "this needs a token with the permission \(description), and not limited to channels"
        case .permissionForThing: "this needs a token with the permission \(description)"
        }
    }
}
