import HTTPTypes
import Accounts
import Database
import HLSDelivery
import HTTPEndpoints
import MediaAccess
import WebTokens

/// Lets the accounts and the links decide who may watch.
struct AccountsViewing: ViewingAuthority {
    let accounts: Accounts
    let links: MediaLinks
    /// Tokens that another system makes for viewers; `nil` if none does.
    let tokens: ViewerTokens?
    let authority: RequestAuthority

    func isForEveryone(_ subject: ViewingSubject) -> Bool {
        if accounts.isEverythingPublic { return true }
        return accounts.may(.anonymous, .read, resource(subject)).isAllowed
    }

    func decideNow(signature: String, _ folder: String) -> ViewingDecision? {
        links.decideNow(signature, for: folder).map(ViewingDecision.init)
    }

    func decide(_ request: ViewingRequest) async -> ViewingDecision {
        let address = request.address
        if let signature = address.signature {
            return ViewingDecision(await links.decide(signature, for: address.folder))
        }
        if let tokens, let token = Self.token(of: request) { return await decide(token, tokens, address) }
        do {
            let identity = try await authority.identify(request.fields, from: request.peer)
            switch identity.permissions.may(identity.caller.principal, .read, resource(address.subject)) {
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

    /// The token of a request: as a bearer token, or as the parameter `jwt`, which becomes a signature in the path.
    private static func token(of request: ViewingRequest) -> (text: String, isInQuery: Bool)? {
        for parameter in request.query.split(separator: "&") where parameter.hasPrefix("jwt=") {
            return (String(parameter.dropFirst("jwt=".count)), true)
        }
        guard let value = request.fields[.authorization], value.lowercased().hasPrefix("bearer ") else { return nil }
        let text = value.dropFirst("bearer ".count)
        return ViewerTokens.isToken(text) ? (String(text), false) : nil
    }

    private func decide(
        _ token: (text: String, isInQuery: Bool), _ tokens: ViewerTokens, _ address: MediaAddress
    ) async -> ViewingDecision {
        do {
            guard let end = try await tokens.end(token.text, for: address.folder) else { return .forbidden }
            return token.isInQuery
                ? .allowedWithSignature(links.sign(address.folder, until: end).text) : .allowed
        } catch let error as TokenError {
            return .linkNotValid(reason: error.reason)
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

extension ViewingDecision {
    fileprivate init(_ decision: SignatureDecision) {
        switch decision {
        case .valid(let seconds): self = .allowedByPath(seconds: seconds)
        case .wrong:
            self = .linkNotValid(
                reason: "the signature in the address is not one of this server, or belongs to another channel or title"
            )
        case .expired: self = .linkNotValid(reason: "the link has expired")
        case .revoked: self = .linkNotValid(reason: "the link was revoked")
        case .unavailable: self = .unavailable
        }
    }
}
