import Accounts
import Database
import HLSDelivery
import HTTPEndpoints
import HTTPTypes
import MediaAccess
import MediaCore
import WebTokens

/// Lets the accounts and the links decide who may watch.
struct AccountsViewing: ViewingAuthority {
    let accounts: Accounts
    let links: MediaLinks
    /// Tokens that another system makes for viewers; `nil` if none does.
    let tokens: MediaTokens?
    /// A program of the operator that is asked about whom nothing else lets in; `nil` if there is none.
    let hook: AuthorizationHook?
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
        let decision = await accountsDecide(request)
        guard let hook, decision == .loginNeeded else { return decision }
        return await decide(request, hook)
    }

    /// Decides by the account of the sender.
    private func accountsDecide(_ request: ViewingRequest) async -> ViewingDecision {
        do {
            let identity = try await authority.identify(request.fields, from: request.peer)
            switch identity.permissions.may(identity.caller.principal, .read, resource(request.address.subject)) {
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
        return MediaTokens.isToken(text) ? (String(text), false) : nil
    }

    private func decide(
        _ token: (text: String, isInQuery: Bool), _ tokens: MediaTokens, _ address: MediaAddress
    ) async -> ViewingDecision {
        do {
            guard let end = try await tokens.end(token.text, MediaTokens.watching, for: address.folder) else {
                return .forbidden
            }
            return token.isInQuery
                ? .allowedWithSignature(links.sign(address.folder, until: end).text) : .allowed
        } catch let error as TokenError {
            return .linkNotValid(reason: error.reason)
        } catch {
            return .unavailable
        }
    }

    /// The time for which a path is signed whose parameters the hook has accepted, because players do not repeat them.
    private static let hookedTime = Duration.seconds(12 * 3_600)

    private func decide(_ request: ViewingRequest, _ hook: AuthorizationHook) async -> ViewingDecision {
        let folder = request.address.folder
        let origin = authority.origin(request.fields, from: request.peer)
        var question = HookQuestion(.read, .hls, path: String(folder.dropFirst()), address: origin.address)
        question.userAgent = origin.device
        let value = request.fields[.authorization] ?? ""
        if value.lowercased().hasPrefix("bearer ") {
            question.token = String(value.dropFirst("bearer ".count))
        } else if let (user, password) = BasicCredential.parse(value) {
            (question.user, question.password) = (user, password)
        } else {
            // Parameters that a player adds change with each request, and say nothing of the viewer.
            let parameters = request.query.split(separator: "&").filter { !$0.hasPrefix("_HLS_") }
            question.query = parameters.joined(separator: "&")
        }
        switch await hook.answer(question) {
        case .allowed:
            guard !question.query.isEmpty else { return .allowed }
            return .allowedWithSignature(links.sign(folder, until: links.now + Self.hookedTime).text)
        case .refused: return .loginNeeded
        case .unavailable: return .unavailable
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
