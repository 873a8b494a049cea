import APIContract
import APIDeclarations
import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore

/// `/api/v1/device`: log-in of devices without a keyboard, such as televisions (RFC 8628), in JSON.
struct DeviceEndpoints: Sendable {
    let context: AccountsEndpoints

    private static let reason = "a device that logs in is a stranger before"

    var endpoints: [Endpoint] {
        [
            Endpoint(AccountAPI.startDeviceAuthorization, .anyone(.any, reason: Self.reason), handler: begin),
            Endpoint(AccountAPI.getDeviceToken, .anyone(.any, reason: Self.reason), handler: poll),
        ]
    }

    private func begin(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let device = try await context.accounts.authorizeDevice(from: caller.caller.origin)
        let address = context.publicAddress?.url(AccountPath.device) ?? AccountPath.device
        return DeviceAuthorizationFields.object {
            [
                $0.deviceCode(device.deviceCode.text), $0.userCode(device.userCode.description),
                $0.verificationUri(address), $0.expiresIn(Int(device.lifetime.seconds)),
                $0.interval(Int(device.interval.seconds)),
            ]
        }.response()
    }

    private func poll(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await BodyFields(request, DeviceCodeFields.self)
        let outcome = try await context.accounts.pollDevice(
            try body.required(\.deviceCode), from: caller.caller.origin)
        switch outcome {
        case .approved(let session):
            return DeviceTokenFields.object {
                [$0.accessToken(session.secret.text), $0.tokenType("Bearer")]
            }.response()
        case .pending: return Self.error("authorization_pending")
        case .slowDown: return Self.error("slow_down")
        case .denied: return Self.error("access_denied")
        case .expired: return Self.error("expired_token")
        }
    }

    /// RFC 8628 §3.5 fixes the form of errors.
    private static func error(_ code: String) -> Response {
        DeviceTokenErrorFields.object { [$0.error(code)] }.response(status: .badRequest)
    }
}
