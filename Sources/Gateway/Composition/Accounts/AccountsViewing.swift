import Accounts
import Database
import HLSDelivery
import HTTPEndpoints
import HTTPTypes
import NIOCore

/// Lets the accounts decide who may watch.
struct AccountsViewing: ViewingAuthority {
    let accounts: Accounts
    let authority: RequestAuthority

    func isForEveryone(_ subject: ViewingSubject) -> Bool {
        if accounts.isEverythingPublic { return true }
        return accounts.may(.anonymous, .read, resource(subject)).isAllowed
    }

    func decide(
        _ fields: HTTPFields, from peer: SocketAddress?, _ subject: ViewingSubject
    ) async -> ViewingDecision {
        do {
            let identity = try await authority.identify(fields, from: peer)
            switch identity.permissions.may(identity.caller.principal, .read, resource(subject)) {
            case .allowed: return .allowed
            case .loginNeeded: return .loginNeeded
            case .forbidden: return .forbidden
            }
        } catch is ProblemDetails {
            return .loginNeeded
        } catch {
            return .unavailable
        }
    }

    private func resource(_ subject: ViewingSubject) -> Resource {
        let audiences = accounts.audiences
        return switch subject {
        case .channel(let name): audiences.channel(name)
        case .title: audiences.title
        case .track: audiences.track
        }
    }
}
