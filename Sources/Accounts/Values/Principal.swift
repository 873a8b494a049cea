/// The sender of a request.
package enum Principal: Sendable, Hashable {
    case anonymous
    /// An account that has logged in.
    case session(Member, OpaqueID)
    /// A program with an API token.
    case apiToken(Member, OpaqueID, Scope)
    /// A program with an app password.
    case appPassword(Member, OpaqueID, Scope)
    case machine(MachineOperator)

    /// The account; `nil` for strangers and the server's own machine.
    package var member: Member? {
        switch self {
        case .anonymous, .machine: nil
        case .session(let member, _), .apiToken(let member, _, _), .appPassword(let member, _, _): member
        }
    }

    /// The limits of a token; `nil` for everybody else.
    package var scope: Scope? {
        switch self {
        case .anonymous, .machine, .session: nil
        case .apiToken(_, _, let scope), .appPassword(_, _, let scope): scope
        }
    }

    /// The API token or app password; `nil` for everything else.
    package var token: OpaqueID? {
        switch self {
        case .anonymous, .machine, .session: nil
        case .apiToken(_, let token, _), .appPassword(_, let token, _): token
        }
    }

    /// True for a person who has logged in, and for somebody who has shown no credential.
    package var isPerson: Bool {
        switch self {
        case .anonymous, .session: true
        case .apiToken, .appPassword, .machine: false
        }
    }

    /// True for a program on the server's own machine, which may name files of the machine.
    package var isOnMachine: Bool {
        switch self {
        case .machine: true
        case .anonymous, .session, .apiToken, .appPassword: false
        }
    }

    /// The session; `nil` for everything else.
    package var session: OpaqueID? {
        if case .session(_, let session) = self { session } else { nil }
    }
}
