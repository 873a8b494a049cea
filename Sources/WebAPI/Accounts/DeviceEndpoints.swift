import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import MediaCore

/// `/api/v1/device`: log-in of devices without a keyboard, such as televisions (RFC 8628), in JSON.
struct DeviceEndpoints: Sendable {
    let context: AccountsEndpoints

    private static let path = "/api/v1/device"
    private static let reason = "a device that logs in is a stranger before"

    var endpoints: [Endpoint] {
        [
            Endpoint(.post, Self.path, .anyone(.any, reason: Self.reason), handler: begin),
            Endpoint(.post, "\(Self.path)/token", .anyone(.any, reason: Self.reason), handler: poll),
        ]
    }

    private func begin(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let device = try await context.accounts.authorizeDevice(from: caller.caller.origin)
        let address = context.publicAddress?.url(AccountPath.device) ?? AccountPath.device
        return JSONText.object([
            ("device_code", .string(device.deviceCode.text)), ("user_code", .string(device.userCode.description)),
            ("verification_uri", .string(address)), ("expires_in", .integer(Int(device.lifetime.seconds))),
            ("interval", .integer(Int(device.interval.seconds))),
        ]).response()
    }

    private func poll(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await BodyFields(request, fields: ["device_code"])
        let outcome = try await context.accounts.pollDevice(
            try body.required("device_code"), from: caller.caller.origin)
        switch outcome {
        case .approved(let session):
            return JSONText.object([
                ("access_token", .string(session.secret.text)), ("token_type", .string("Bearer")),
            ]).response()
        case .pending: return Self.error("authorization_pending")
        case .slowDown: return Self.error("slow_down")
        case .denied: return Self.error("access_denied")
        case .expired: return Self.error("expired_token")
        }
    }

    /// RFC 8628 §3.5 fixes the form of errors.
    private static func error(_ code: String) -> Response {
        JSONText.object([("error", .string(code))]).response(status: .badRequest)
    }
}
