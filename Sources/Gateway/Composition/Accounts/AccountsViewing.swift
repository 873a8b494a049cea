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

    func isConcealed(_ subject: ViewingSubject) -> Bool { resource(subject).audience == .invited }

    func decideNow(signature: String, _ folder: String) -> ViewingDecision? {
        guard let decision = links.decideNow(signature, for: folder) else { return nil }
        // A made-up signature must not tell whether there is something at the address.
        guard decision == .wrong, let subject = MediaAddress(target: "\(folder)/playlist.m3u8")?.subject,
            isConcealed(subject)
        else { return ViewingDecision(decision) }
        return strangersDecision(subject)
    }

    /// The decision about somebody without a credential, or with a wrong one.
    private func strangersDecision(_ subject: ViewingSubject) -> ViewingDecision {
        ViewingDecision(accounts.may(.anonymous, .read, resource(subject)))
    }

    func decide(_ request: ViewingRequest) async -> ViewingDecision {
        let address = request.address
        if let signature = address.signature {
            let decision = await links.decide(signature, for: address.folder)
            guard decision == .wrong, isConcealed(address.subject) else { return ViewingDecision(decision) }
            return strangersDecision(address.subject)
        }
        if let tokens, let token = Self.token(of: request) { return await decide(token, tokens, address) }
        let decision = await accountsDecide(request)
        guard let hook, decision == .loginNeeded || decision == .concealed else { return decision }
        return await decide(request, hook, otherwise: decision)
    }

    /// Decides by the account of the sender.
    private func accountsDecide(_ request: ViewingRequest) async -> ViewingDecision {
        do {
            let identity = try await authority.identify(request.fields, from: request.peer)
            return ViewingDecision(
                identity.permissions.may(identity.caller.principal, .read, resource(request.address.subject)))
        } catch is ProblemDetails {
            return strangersDecision(request.address.subject)
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
                return isConcealed(address.subject) ? strangersDecision(address.subject) : .forbidden
            }
            return token.isInQuery
                ? .allowedWithSignature(links.sign(address.folder, until: end).text) : .allowed
        } catch is TokenError where isConcealed(address.subject) {
            return strangersDecision(address.subject)
        } catch let error as TokenError {
            return .linkNotValid(reason: error.reason)
        } catch {
            return .unavailable
        }
    }

    /// The time for which a path is signed whose parameters the hook has accepted, because players do not repeat them.
    private static let hookedTime = Duration.seconds(12 * 3_600)

    private func decide(
        _ request: ViewingRequest, _ hook: AuthorizationHook, otherwise refusal: ViewingDecision
    ) async -> ViewingDecision {
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
        case .refused: return refusal
        case .unavailable: return .unavailable
        }
    }

    private func resource(_ subject: ViewingSubject) -> Resource {
        accounts.audiences.resource(subject)
    }
}

extension AudienceRules {
    func resource(_ subject: ViewingSubject) -> Resource {
        switch subject {
        case .channel(let name): channel(name)
        case .title(let id): title(id: id)
        case .titleFile(let name): title(file: name)
        case .track(let id): track(id: id)
        }
    }

    /// A title or track for RTSP readers, which has the same path as for HLS without the playlist's name.
    func resource(ofTitleAt path: String) -> Resource {
        guard let address = MediaAddress(target: "\(path)/playlist.m3u8") else {
            return path.hasPrefix("/radio/") ? track : title
        }
        return resource(address.subject)
    }
}

extension ViewingDecision {
    fileprivate init(_ decision: Decision) {
        switch decision {
        case .allowed: self = .allowed
        case .loginNeeded: self = .loginNeeded
        case .forbidden: self = .forbidden
        case .concealed: self = .concealed
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
