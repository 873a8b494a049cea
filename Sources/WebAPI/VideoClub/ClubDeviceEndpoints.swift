import APIContract
import APIDeclarations
import Accounts
import Foundation
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import VideoClub

/// The devices on which a member keeps offline copies: `/api/v1/me/devices`.
struct ClubDeviceEndpoints: Sendable {
    let context: ClubContext

    private static let reason = "the handler knows the caller's own devices only"
    /// A device is a credential for what is rented.
    private static let changing = AccessRule.member(.rent, reason: reason)
    /// Limit of the text of a public key, which has 44 characters.
    private static let maximumKeyLength = 100

    var endpoints: [Endpoint] {
        [
            Endpoint(VideoClubAPI.listDevices, .member(.read, reason: Self.reason)) { _, caller in
                let member = try VideoClub.member(caller.caller)
                let devices = try await context.club.devices(of: member.id)
                return APIPage(devices.map { APIResources.device($0) }).response()
            },
            Endpoint(VideoClubAPI.addDevice, Self.changing, handler: add),
            Endpoint(VideoClubAPI.deleteDevice, Self.changing) { _, caller in
                let club = context.club
                try await club.removeDevice(try caller.parameters.identifier(of: "device"), by: caller.caller)
                return Response(status: .noContent)
            },
        ]
    }

    /// The body is `{"name": "laptop", "publicKey": "base64"}`.
    private func add(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        try caller.require(.rent, .title())
        let body = try await BodyFields(request, NewDeviceFields.self)
        let (name, text) = (try body.required(\.name), try body.required(\.publicKey))
        guard text.utf8.count <= Self.maximumKeyLength, let key = Data(base64Encoded: text) else {
            throw ProblemDetails(.unprocessableContent, "the field `publicKey` must be an X25519 key in base64")
        }
        let added = try await context.club.addDevice(name, publicKey: Array(key), by: caller.caller)
        return APIResources.device(added.device, secret: added.secret).response(status: .created)
    }
}

extension APIResources {
    /// The JSON of a device.
    ///
    /// - Parameter secret: its credential, in the answer that makes it only.
    static func device(_ device: ClubDevice, secret: Secret? = nil) -> APIObject<DeviceFields> {
        DeviceFields.object { fields in
            [
                fields.id(device.id.text), fields.name(device.name), fields.createdAt(time(device.createdAt)),
                fields.lastUsedAt(time(device.lastUsedAt)), secret.map { fields.secret($0.text) },
            ]
        }
    }
}
