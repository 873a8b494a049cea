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
        let fixture = try await TestAccounts()
        let table = EndpointTable.serving(InMemoryContent(), authority: TestOperator.authority(fixture.accounts))
        let session = try await fixture.session("ana")
        let reading = Scope(actions: ActionSet([.read]))
        for (scope, status) in [(reading, HTTPResponse.Status.forbidden), (.full, .notFound)] {
            let token = try await fixture.token(session, scope).secret.text
            let answer = try await Application(router: table.router()).test(.router) { client in
                try await client.execute(
                    uri: "/api/v1/me/devices", method: .post,
                    headers: [.authorization: "Bearer \(token)", .contentType: "application/json"],
                    body: ByteBuffer(string: #"{"name": "x", "publicKey": "AAAA"}"#))
            }
            // The server of this test has no video club.
            #expect(answer.status == status)
        }
    }

    @Test func aDevicesCredentialIsWrongEverywhereElse() async throws {
        let table = EndpointTable.serving(InMemoryContent())
        let secret = Secret(.offlineDevice)
        try await Application(router: table.router()).test(.router) { client in
            for endpoint in table.endpoints {
                if case .open = endpoint.rule { continue }
                let path = endpoint.path.replacing(/\{[a-z]+\}/, with: "x")
                let answer = try await client.execute(
                    uri: path, method: endpoint.method, headers: [.authorization: "Bearer \(secret.text)"])
                guard endpoint.rule.includesDevices else {
                    #expect(answer.status == .unauthorized, "\(endpoint.method) \(path)")
                    continue
                }
                // The server of this test has no video club.
                #expect(answer.status == .notFound, "\(endpoint.method) \(path)")
            }
        }
        #expect(table.endpoints.count(where: \.rule.includesDevices) == 4)
    }
}
