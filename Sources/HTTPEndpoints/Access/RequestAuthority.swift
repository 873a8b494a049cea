package import APIContract
package import Accounts
import Foundation
import HTTPTypes
package import Hummingbird
package import Logging
import LogMetadata
import MediaCore
package import NIOCore
import Synchronization

/// Finds out who sends a request: by a bearer token (RFC 6750 §2.1), an app password (Basic, RFC 7617), or the cookie
/// of a session.
///
/// A credential in a header that is wrong is refused; it never makes its sender a stranger, who may do something else
/// than was asked for. A cookie whose session has ended is removed, because nobody has typed it.
package final class RequestAuthority: Sendable {
    private let token: OperatorToken
    /// The accounts; `nil` for a server without any.
    package let accounts: Accounts?
    private let proxies: TrustedProxies
    /// The address at which visitors reach the site; `nil` if the operator has not named it.
    package let publicAddress: PublicAddress?
    let sameOrigin: SameOriginCheck
    /// Limits how often wrong credentials are logged. Tokens are never delayed or rejected because of it: 256 bits
    /// cannot be guessed, and operators may share an address with an attacker.
    private let failures = Mutex(AuthenticationFailureLimiter())
    private let logger: Logger

    /// Limit of the text of a Basic credential.
    private static let maximumBasicByteCount = 1_024

    /// - Parameters:
    ///   - token: the token of the server's own machine.
    ///   - accounts: the accounts; `nil` for a server without any.
    ///   - proxies: the reverse proxies that may name the client's address.
    ///   - publicAddress: the address at which visitors reach the site.
    ///   - logger: receives warnings about wrong credentials.
    package init(
        token: OperatorToken, accounts: Accounts? = nil, proxies: TrustedProxies = .none,
        publicAddress: PublicAddress? = nil, logger: Logger
    ) {
        (self.token, self.accounts, self.proxies, self.publicAddress) = (token, accounts, proxies, publicAddress)
        self.logger = logger
        sameOrigin = SameOriginCheck(publicAddress: publicAddress)
    }

    static let hint =
        "send \"Authorization: Bearer TOKEN\" with a token of your account, or with the token of this server, which is in the file \(OperatorToken.fileName) in the server's data folder"

    private var permissions: Permissions { accounts?.permissions ?? Permissions(isOpenToStrangers: true) }

    /// Whether visitors reach the site over HTTPS, as the operator says.
    private var isSecureSite: Bool { publicAddress?.isSecure == true }

    /// The origin of a request.
    ///
    /// - Parameters:
    ///   - fields: the header of the request.
    ///   - peer: the address of the connection; `nil` in tests without sockets.
    package func origin(_ fields: HTTPFields, from peer: SocketAddress?) -> RequestOrigin {
        let device = fields[.userAgent] ?? ""
        guard let peer, let address = peer.ipAddress, !proxies.isEmpty else {
            return RequestOrigin(AddressGroup(peer), address: peer?.ipAddress, device: device)
        }
        let client = proxies.client(fields, peer: address)
        let group = AddressGroup((try? SocketAddress(ipAddress: client, port: 0)) ?? peer)
        return RequestOrigin(group, address: client, device: device)
    }

    /// The address of the client of a request, which a trusted proxy may have passed on; `nil` if there is no proxy.
    package func client(_ fields: HTTPFields, behind peer: SocketAddress?) -> String? {
        guard !proxies.isEmpty, let address = peer?.ipAddress else { return nil }
        return proxies.client(fields, peer: address)
    }

    /// Whether the client speaks HTTPS with a trusted proxy.
    ///
    /// - Parameters:
    ///   - fields: the header of the request.
    ///   - peer: the address of the connection; `nil` in tests without sockets.
    func isSecureAtProxy(_ fields: HTTPFields, from peer: SocketAddress?) -> Bool {
        guard !proxies.isEmpty, let address = peer?.ipAddress else { return false }
        return proxies.isSecure(fields, peer: address)
    }

    /// The identifier of a request: the one that a trusted proxy gives, or a new one. Nobody else's is taken, because
    /// a client that chooses it could make log lines look like those of another request.
    ///
    /// - Parameters:
    ///   - fields: the header of the request.
    ///   - peer: the address of the connection; `nil` in tests without sockets.
    func requestIdentifier(_ fields: HTTPFields, from peer: SocketAddress?) -> RequestIdentifier {
        guard !proxies.isEmpty, let address = peer?.ipAddress, proxies.contains(address),
            let given = fields[RequestIdentifier.fieldName].flatMap(RequestIdentifier.init(parsing:))
        else { return RequestIdentifier() }
        return given
    }

    /// Finds out who sends a request.
    ///
    /// - Parameters:
    ///   - fields: the header of the request.
    ///   - peer: the address of the connection; `nil` in tests without sockets.
    ///   - isSecure: whether the request came over HTTPS, as far as the caller knows. Then only a cookie counts that no
    ///     other host can have planted; see ``SessionCookie``.
    ///   - acceptsDevices: whether the credential of a device that keeps offline copies is left to the handler;
    ///     otherwise it is a wrong one.
    /// - Throws: ``ProblemDetails`` with 401 for a wrong credential; `SQLError` if the database does not answer.
    package func identify(
        _ fields: HTTPFields, from peer: SocketAddress?, isSecure: Bool = false, acceptsDevices: Bool = false
    ) async throws -> RequestIdentity {
        let origin = origin(fields, from: peer)
        var identity = RequestIdentity(Caller(.anonymous, origin), permissions: permissions)
        if let accounts {
            identity.audiences = accounts.audiences
            identity.mayReadMetrics = accounts.settings.showsMetricsToEveryone
        }
        if let value = fields[.authorization] {
            // A browser that knows a password for the site sends it by itself, no matter who has made the request.
            identity.isFromHeader = !value.lowercased().hasPrefix("basic")
            if acceptsDevices, let secret = Self.device(authorization: value) {
                identity.device = secret
                return identity
            }
            guard let principal = try await principal(authorization: value, origin) else {
                throw refusal(of: value, from: origin)
            }
            identity.caller.principal = principal
            return identity
        }
        guard let accounts, let cookie = SessionCookie.found(in: fields) else { return identity }
        identity.hasSecureCookie = cookie.isSecure
        guard cookie.isSecure || !(isSecure || isSecureSite || isSecureAtProxy(fields, from: peer)),
            let secret = Secret(.session, parsing: cookie.text),
            let principal = try await accounts.principal(session: cookie.text, from: origin)
        else {
            identity.hasStaleCookie = true
            return identity
        }
        identity.caller.principal = principal
        identity.session = secret
        return identity
    }

    /// The part of a header that shows who sends a request. Requests with equal parts have the same sender, wherever
    /// they come from.
    package func credential(in fields: HTTPFields) -> HTTPFields {
        if let value = fields[.authorization] { return [.authorization: value] }
        guard let cookie = SessionCookie.found(in: fields) else { return [:] }
        return [.cookie: "\(cookie.name)=\(cookie.text)"]
    }

    /// The part of a header that `identify` reads: the credential, and what proxies say about the client's
    /// address.
    package func identifyingFields(in fields: HTTPFields) -> HTTPFields {
        var part = credential(in: fields)
        guard !proxies.isEmpty else { return part }
        for field in fields where TrustedProxies.isAboutClient(field.name) { part.append(field) }
        return part
    }

    /// Whether a request is from somebody who may look after the server. A request whose sender cannot be found out,
    /// for example while the database does not answer, is not.
    ///
    /// - Parameters:
    ///   - fields: the header of the request.
    ///   - peer: the address of the connection; `nil` in tests without sockets.
    package func isOperator(_ fields: HTTPFields, from peer: SocketAddress?) async -> Bool {
        guard let identity = try? await identify(fields, from: peer) else { return false }
        return identity.permissions.may(identity.caller.principal, .read, .system).isAllowed
    }

    private static func device(authorization value: String) -> Secret? {
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return Secret(.offlineDevice, parsing: String(parts[1].trimmingPrefix { $0 == " " }))
    }

    private func principal(authorization value: String, _ origin: RequestOrigin) async throws -> Principal? {
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let text = parts[1].trimmingPrefix { $0 == " " }
        switch parts[0].lowercased() {
        case "bearer":
            if token.matches(String(text)) { return .machine(.tokenFile) }
            return try await accounts?.principal(bearer: String(text), from: origin)
        case "basic":
            guard text.utf8.count <= Self.maximumBasicByteCount, let data = Data(base64Encoded: String(text)) else {
                return nil
            }
            let pair = String(decoding: data, as: UTF8.self).split(
                separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2 else { return nil }
            return try await accounts?.principal(String(pair[0]), appPassword: String(pair[1]), from: origin)
        default: return nil
        }
    }

    /// The response to a request whose credential is wrong.
    private func refusal(of value: String, from origin: RequestOrigin) -> ProblemDetails {
        let scheme = value.prefix { $0 != " " }.lowercased()
        guard value.contains(" "), scheme == "bearer" || scheme == "basic" else {
            return Self.unauthorized("this request needs a credential that the server knows: \(Self.hint)", "Bearer")
        }
        let now = NIODeadline.now()
        let isLogged = failures.withLock { limiter in
            let key = origin.group.description
            guard limiter.admit(key, now: now) == .now else { return false }
            limiter.failed(key, now: now)
            return true
        }
        if isLogged {
            logger.warning("request with a wrong token refused", metadata: [.peerAddress: "\(origin.address)"])
        }
        return Self.unauthorized("the token is wrong or has expired: \(Self.hint)", "Bearer error=\"invalid_token\"")
    }

    /// The response to a request for which nobody has logged in.
    package static var loginNeeded: ProblemDetails {
        unauthorized("log in first; programs: \(hint)", "Bearer")
    }

    private static func unauthorized(_ detail: String, _ challenge: String) -> ProblemDetails {
        var problem = ProblemDetails(.unauthorized, detail)
        problem.headers[.wwwAuthenticate] = challenge
        return problem
    }

    /// Counts a request against the limit of its member.
    ///
    /// - Returns: what is left; `nil` for somebody without a limit.
    /// - Throws: ``ProblemDetails`` with 429.
    func admitRequest(_ principal: Principal) throws -> RequestQuota? {
        guard let accounts, let member = principal.member else { return nil }
        do { return try accounts.limits.admitRequest(of: member.id) } catch { throw ProblemDetails(error) }
    }
}
