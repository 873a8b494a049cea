import GatewayTestSupport
import HTTPTypes
import Logging
import LogMetadata
import NIOCore
import Testing

@testable import HTTPEndpoints

struct RequestIdentifierTests {
    private let proxy = try? SocketAddress(ipAddress: "192.0.2.1", port: 1)
    private let client = try? SocketAddress(ipAddress: "198.51.100.7", port: 1)

    private func authority(_ range: String? = "192.0.2.0/24") throws -> RequestAuthority {
        RequestAuthority(
            token: TestOperator.token,
            proxies: TrustedProxies(try range.map { [try #require(AddressRange(parsing: $0))] } ?? []),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test func onlyATrustedProxyChoosesTheIdentifier() throws {
        let fields: HTTPFields = [RequestIdentifier.fieldName: "4bf92f35-77b3:a1"]
        #expect(try authority().requestIdentifier(fields, from: proxy).text == "4bf92f35-77b3:a1")
        for (range, peer) in [("192.0.2.0/24", client), ("192.0.2.0/24", nil), (nil, proxy)] {
            let own = try authority(range).requestIdentifier(fields, from: peer)
            #expect(own.text.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        }
    }

    @Test(arguments: ["", "a b", "a\"b", "ñ", "a\u{1B}", String(repeating: "a", count: 129)])
    func whatCouldHarmALogIsNoIdentifier(text: String) {
        #expect(RequestIdentifier(parsing: text) == nil)
    }

    @Test func aBadIdentifierOfAProxyIsReplaced() throws {
        let fields: HTTPFields = [RequestIdentifier.fieldName: "a b"]
        #expect(try authority().requestIdentifier(fields, from: proxy).text.utf8.count == 32)
    }

    @Test func identifiersDiffer() {
        #expect(Set((0..<1_000).map { _ in RequestIdentifier() }).count == 1_000)
        #expect(RequestIdentifier(parsing: String(repeating: "a", count: 128)) != nil)
    }

    @Test func everyLogLineOfTheTaskCarriesIt() {
        #expect(RequestIdentifier.metadataProvider.get().isEmpty)
        RequestIdentifier.$current.withValue(RequestIdentifier(parsing: "abc")) {
            #expect(RequestIdentifier.metadataProvider.get() == [LogKey.requestID.rawValue: "abc"])
        }
    }
}
