import HTTPTypes
import Hummingbird
package import Logging
import MediaCore
import NIOCore
import RTSPProtocol
import Synchronization

/// Lets operators' requests through: those that carry the token as `Authorization: Bearer` (RFC 6750 §2.1).
package final class OperatorGate: Sendable {
    private let token: OperatorToken
    /// Decides which wrong tokens are logged. No request waits or is turned away because of it: with 256 bits, waiting is
    /// not what stops a guess, and operators may share their address with a guesser.
    private let failures = Mutex(AuthenticationFailureLimiter())
    private let logger: Logger

    package init(token: OperatorToken, logger: Logger) {
        self.token = token
        self.logger = logger
    }

    static let hint =
        "send \"Authorization: Bearer TOKEN\"; the token is in the file \(OperatorToken.fileName) in the server's data folder"

    /// Whether a request is an operator's.
    func isOperator(_ request: Request) -> Bool {
        Self.bearerToken(of: request).map(token.matches) ?? false
    }

    /// Why a request that is not an operator's is refused.
    ///
    /// - Parameter address: the client's; `nil` in tests without sockets.
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
                "operator request refused: wrong token",
                metadata: ["peer.address": "\(address?.ipAddress ?? "unknown")"])
        }
        return Self.unauthorized(
            "the operator token is wrong: \(Self.hint)", challenge: "Bearer error=\"invalid_token\"")
    }

    private static func unauthorized(_ detail: String, challenge: String) -> ProblemDetails {
        var problem = ProblemDetails(.unauthorized, detail)
        problem.headers[.wwwAuthenticate] = challenge
        return problem
    }

    /// RFC 9110 §11.1: the scheme is not case-sensitive.
    private static func bearerToken(of request: Request) -> String? {
        guard let value = request.headers[.authorization] else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return parts[1].trimmingPrefix { $0 == " " }.description
    }
}
