import GatewayTestSupport
import HTTPTypes
import HummingbirdCore
import MediaCore
import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Testing

@testable import Gateway

/// The configuration of one version of HTTP holds for the other.
struct HTTPConnectionConfigurationTests {
    /// A request that is just within a limit, and one beyond it.
    private struct Probe {
        var within: HTTPFields
        var beyond: HTTPFields
    }

    private static func fields(count: Int, byteCount: Int) -> HTTPFields {
        var fields = HTTPFields()
        for number in 0..<count {
            guard let name = HTTPField.Name("x-\(number)") else { continue }
            fields.append(HTTPField(name: name, value: String(repeating: "v", count: byteCount)))
        }
        return fields
    }

    /// A probe for each field of ``HTTPRequestLimits``.
    private static let probes: [String: Probe] = [
        "headerFieldCount": Probe(within: fields(count: 90, byteCount: 1), beyond: fields(count: 110, byteCount: 1)),
        "headerFieldByteCount": Probe(
            within: fields(count: 1, byteCount: 15_000), beyond: fields(count: 1, byteCount: 17_000)),
        "headerListByteCount": Probe(
            within: fields(count: 10, byteCount: 3_000), beyond: fields(count: 10, byteCount: 3_400)),
    ]

    /// Whether the router gets the request over HTTP/1.1.
    private func reachesRouterByHTTP1(_ fields: HTTPFields) throws -> Bool {
        let (embedded, router) = (EmbeddedChannel(), FakeRouter())
        let http1 = HTTPConnectionConfiguration(budget: RequestBudget()) { [] }.http1
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = http1.httpDecoder.maxHeaderFieldSize
        limits.maxHeaderListSize = http1.httpDecoder.maxHeaderListSize
        limits.maxHeaderFieldCount = http1.httpDecoder.maxHeaderFieldCount
        let pipeline = embedded.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
            withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits)
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        try pipeline.addHandlers(http1.additionalChannelHandlers())
        try pipeline.addHandler(router)
        try embedded.connect(to: SocketAddress(ipAddress: "192.0.2.9", port: 80)).wait()
        let lines = fields.map { "\($0.name.rawName): \($0.value)\r\n" }.joined()
        _ = try? embedded.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: h\r\n\(lines)\r\n"))
        return router.paths == ["/"]
    }

    /// Whether the router gets the request over HTTP/2.
    private func reachesRouterByHTTP2(_ fields: HTTPFields) throws -> Bool {
        let (embedded, router) = (EmbeddedChannel(), FakeRouter())
        let configuration = HTTPConnectionConfiguration(budget: RequestBudget()) { [] }
        let account = configuration.budget.account(of: AddressGroup(nil)) {}
        let handler = StreamTurnHandler(
            turns: StreamTurns(), limits: configuration.limits, account: account,
            asksForMedia: HTTPConnectionConfiguration.asksForMedia,
            start: { [unowned embedded] in
                try configuration.addHandlers(to: embedded, account: account)
                try embedded.pipeline.syncOperations.addHandler(router)
            })
        try embedded.pipeline.syncOperations.addHandler(handler)
        try embedded.connect(to: SocketAddress(ipAddress: "192.0.2.9", port: 80)).wait()
        let head = HPACKHeaders(
            [(":method", "GET"), (":scheme", "https"), (":authority", "h"), (":path", "/")]
                + fields.map { ($0.name.canonicalName, $0.value) })
        try embedded.writeInbound(HTTP2Frame.FramePayload.headers(.init(headers: head, endStream: true)))
        let isReached = router.paths == ["/"]
        if !isReached {
            let answer = try embedded.readOutbound(as: HTTP2Frame.FramePayload.self)
            guard case .headers(let content) = answer else {
                Issue.record("no answer")
                return false
            }
            #expect(content.headers.first(name: ":status") == "431" && content.endStream)
        }
        return isReached
    }

    @Test func eachLimitHoldsForBothVersions() throws {
        let labels = Mirror(reflecting: HTTPRequestLimits()).children.compactMap(\.label)
        #expect(!labels.isEmpty)
        for label in labels {
            let probe = try #require(Self.probes[label], "there is no probe for \(label)")
            #expect(try reachesRouterByHTTP1(probe.within), "\(label), HTTP/1.1")
            #expect(try reachesRouterByHTTP2(probe.within), "\(label), HTTP/2")
            #expect(try !reachesRouterByHTTP1(probe.beyond), "\(label), HTTP/1.1")
            #expect(try !reachesRouterByHTTP2(probe.beyond), "\(label), HTTP/2")
        }
    }

    @Test func theFrameDecoderHasTheLimitOfAllFields() {
        let limits = HTTPRequestLimits(headerListByteCount: 12_345)
        let settings = HTTPLimits.http2(limits).connection.initialSettings
        #expect(settings.contains { $0.parameter == .maxHeaderListSize && $0.value == 12_345 })
    }

    /// The handlers of a configuration are in the pipelines of both versions, and so is what counts memory.
    @Test func bothPipelinesHaveAllHandlers() throws {
        let configuration = HTTPConnectionConfiguration(budget: RequestBudget()) { [Marker()] }
        let http1 = EmbeddedChannel()
        try http1.pipeline.syncOperations.addHandlers(configuration.http1.additionalChannelHandlers())
        let http2 = EmbeddedChannel()
        try configuration.addHandlers(
            to: http2, account: configuration.budget.account(of: AddressGroup(nil)) {})
        for channel in [http1, http2] {
            _ = try channel.pipeline.syncOperations.handler(type: Marker.self)
            _ = try channel.pipeline.syncOperations.handler(type: RequestAccountHandler.self)
        }
    }
}

private final class Marker: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
}
