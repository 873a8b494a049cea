import Accounts
import DatabaseTestSupport
import GatewayTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JSONDocument
import NIOCore
import Testing

@testable import HTTPEndpoints

/// The credential of a device that keeps offline copies opens what is for devices, and nothing else.
@Suite(.eitherEngine) struct DeviceCredentialTests {
    /// A device outlives the token with which it was registered.
    @Test func aTokenForOtherThingsRegistersNoDevice() async throws {
        let station = try await TestStation()
        let (fixture, table) = (station.fixture, station.table)
        let session = try await fixture.session("ana")
        let reading = Scope(actions: ActionSet([.read]))
        for (scope, status) in [(reading, HTTPResponse.Status.forbidden), (.full, .unprocessableContent)] {
            let token = try await fixture.token(session, scope).secret.text
            let answer = try await Application(router: table.router()).test(.router) { client in
                try await client.execute(
                    uri: "/api/v1/me/devices", method: .post,
                    headers: [.authorization: "Bearer \(token)", .contentType: "application/json"],
                    body: ByteBuffer(string: #"{"name": "x", "publicKey": "AAAA"}"#))
            }
            #expect(answer.status == status)
        }
    }

    @Test func aDevicesCredentialIsWrongEverywhereElse() async throws {
        let table = try await TestStation().table
        let secret = Secret(.offlineDevice)
        try await Application(router: table.router()).test(.router) { client in
            for endpoint in table.endpoints {
                if case .open = endpoint.rule { continue }
                let path = endpoint.path.replacing(/\{[a-z]+\}/, with: "x")
                let answer = try await client.execute(
                    uri: path, method: endpoint.method, headers: [.authorization: "Bearer \(secret.text)"])
                #expect(answer.status == .unauthorized, "\(endpoint.method) \(path)")
                let isForDevices = String(buffer: answer.body).contains("the device was removed")
                #expect(isForDevices == endpoint.rule.includesDevices, "\(endpoint.method) \(path)")
            }
        }
        #expect(table.endpoints.count(where: \.rule.includesDevices) == 4)
    }
}
