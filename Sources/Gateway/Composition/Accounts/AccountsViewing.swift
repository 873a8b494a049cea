import Accounts
import HLSDelivery
import HTTPEndpoints
import HTTPTypes
import MediaAccess
import MediaCore
import NIOCore
import Viewing

/// Puts the questions of HTTP to the gate, and its verdicts into the words of HTTP.
struct AccountsViewing: ViewingAuthority {
    let gate: ViewingGate
    let authority: RequestAuthority

    func isForEveryone(_ subject: MediaSubject) -> Bool { gate.isForEveryone(subject) }

    func isConcealed(_ subject: MediaSubject) -> Bool { gate.isConcealed(subject) }

    func decideNow(_ request: ViewingRequest) -> ViewingDecision? {
        guard let signature = request.address.signature else { return nil }
        let media = ViewedMedia(request.address)
        return gate.decideNow(signature, for: media) { authority.origin(request.fields, from: request.peer) }
            .map { decision(about: $0, media.folder) }
    }

    func client(_ fields: HTTPFields, behind peer: SocketAddress?) -> String? {
        authority.client(fields, behind: peer)
    }

    func decide(_ request: ViewingRequest) async -> ViewingDecision {
        let media = ViewedMedia(request.address)
        var question = ViewingQuestion(media) { [authority] in
            authority.origin(request.fields, from: request.peer)
        } identify: { [authority] in
            do {
                let identity = try await authority.identify(request.fields, from: request.peer)
                return ViewingQuestion.Identity(identity.caller, identity.permissions)
            } catch is ProblemDetails {
                return nil
            }
        }
        question.signature = request.address.signature
        question.token = { Self.token(of: request) }
        question.hook = { [authority] in Self.hookQuestion(request, authority) }
        return decision(about: await gate.decide(question).verdict, media.folder)
    }

    /// The token of a request: as a bearer token, or as the parameter `jwt`, which becomes a signature in the path.
    private static func token(of request: ViewingRequest) -> ViewingQuestion.Token? {
        for parameter in request.query.split(separator: "&") where parameter.hasPrefix("jwt=") {
            return .init(String(parameter.dropFirst("jwt=".count)), isInAddress: true)
        }
        guard let value = request.fields[.authorization], value.lowercased().hasPrefix("bearer ") else { return nil }
        let text = value.dropFirst("bearer ".count)
        return MediaTokens.isToken(text) ? .init(String(text), isInAddress: false) : nil
    }

    private static func hookQuestion(_ request: ViewingRequest, _ authority: RequestAuthority) -> HookQuestion {
        let origin = authority.origin(request.fields, from: request.peer)
        let path = String(request.address.folder.dropFirst())
        var question = HookQuestion(.read, .hls, path: path, address: origin.address)
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
        return question
    }

    private func decision(about verdict: ViewingVerdict, _ folder: String) -> ViewingDecision {
        let signatures = ViewingSignatures(gate.links)
        return switch verdict {
        case .open: .open
        case .signed(let seconds): .allowedByPath(seconds: seconds)
        case .allowed: .allowed
        case .allowedOnce(let end): .allowedWithSignature(signatures.signature(until: end, folder).text)
        case .rented(let permit): .allowedWithSignature(signatures.signature(for: permit, folder).text)
        case .loginNeeded: .loginNeeded
        case .forbidden: .forbidden
        case .concealed: .concealed
        case .denied(let denial): .rentalMissing(RentalRefusal(denial))
        case .linkNotValid(let reason): .linkNotValid(reason: reason)
        case .unavailable: .unavailable
        }
    }
}

extension ViewedMedia {
    fileprivate init(_ address: MediaAddress) {
        self.init(
            address.subject, folder: address.folder, beginsPlayback: address.beginsPlayback,
            activatesRental: address.isPlaylist, isPlayed: address.isPlayed)
    }
}

extension RentalRefusal {
    fileprivate init(_ denial: RentalDenial) {
        switch denial {
        case .needed: self = .needed
        case .notActivated: self = .notActivated
        case .over: self = .over
        case .tooManyPlayers(let limit): self = .tooManyPlayers(limit: limit)
        }
    }
}
