package import APIContract
import HTTPTypes
import Hummingbird
package import Logging
import LogMetadata
import MediaCore
import NIOCore
import RTSPProtocol
import Synchronization

/// Authorizes operator requests, which carry the token as `Authorization: Bearer` (RFC 6750 §2.1).
package final class OperatorGate: Sendable {
    private let token: OperatorToken
    /// Limits how often wrong tokens are logged. Requests are never delayed or rejected because of it: 256 bits cannot
    /// be guessed, and operators may share an address with an attacker.
    private let failures = Mutex(AuthenticationFailureLimiter())
    private let logger: Logger

    /// - Parameters:
    ///   - token: the token that authorizes requests.
    ///   - logger: receives warnings about wrong tokens.
    package init(token: OperatorToken, logger: Logger) {
        self.token = token
        self.logger = logger
    }

    static let hint =
        "send \"Authorization: Bearer TOKEN\"; the token is in the file \(OperatorToken.fileName) in the server's data folder"

    /// Returns whether a request carries the operator token.
    func isOperator(_ request: Request) -> Bool {
        Self.bearerToken(of: request).map(token.matches) ?? false
    }

    /// The response to a request without the right token.
    ///
    /// - Parameter address: the client's address; `nil` in tests without sockets.
    func refusal(of request: Request, from address: SocketAddress?) -> ProblemDetails {
        guard Self.bearerToken(of: request) != nil else {
            return Self.unauthorized("this request needs the operator token: \(Self.hint)", challenge: "Bearer")
        }
        let now = NIODeadline.now()
        let isLogged = failures.withLock { limiter in
            let key = AddressGroup(address).description
            guard limiter.admit(key, now: now) == .now else { return false }
            limiter.failed(key, now: now)
            return true
        }
        if isLogged {
            logger.warning(
                "operator request with a wrong token refused",
                metadata: [.peerAddress: "\(address?.ipAddress ?? "unknown")"])
        }
        return Self.unauthorized(
            "the operator token is wrong: \(Self.hint)", challenge: "Bearer error=\"invalid_token\"")
    }

    private static func unauthorized(_ detail: String, challenge: String) -> ProblemDetails {
        var problem = ProblemDetails(.unauthorized, detail)
        problem.headers[.wwwAuthenticate] = challenge
        return problem
    }

    /// The token of a request; `nil` if there is none. The scheme is not case-sensitive (RFC 9110 §11.1).
    private static func bearerToken(of request: Request) -> String? {
        guard let value = request.headers[.authorization] else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return parts[1].trimmingPrefix { $0 == " " }.description
    }
}
