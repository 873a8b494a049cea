import Features
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import MediaCore
import NIOPosix
import TestSupport
import Testing

@testable import HLSDelivery

/// The answers to a proxy with a cache about an address.
struct AuthorizeEndpointTests {
    /// Channels are for everyone, a few signatures are valid, and the rest has to be rented.
    private struct Doorkeeper: ViewingAuthority {
        func isForEveryone(_ subject: MediaSubject) -> Bool { if case .channel = subject { true } else { false } }
        func isConcealed(_ subject: MediaSubject) -> Bool { false }
        func decideNow(_ request: ViewingRequest) -> ViewingDecision? {
            request.address.signature == "exp=9,id=a,sig=b"
                ? .allowedByPath(seconds: 20) : .linkNotValid(reason: "the signature is not valid")
        }
        func decide(_ request: ViewingRequest) async -> ViewingDecision {
            switch request.address.subject {
            case .track: .concealed
            case .titleFile: .unavailable
            default: .rentalMissing(.over)
            }
        }
    }

    private static let address = name("X-Original-URI")
    private static let forwarded = name("X-Forwarded-Uri")
    private static let media = name("X-Antena-Media")

    private static func name(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is no name of a field") }
        return name
    }

    /// Asks a server; making one takes longer than a hundred answers of it.
    private func asking<Result: Sendable>(
        _ body: @escaping @Sendable (_ ask: (HTTPFields) async throws -> TestResponse) async throws -> Result
    ) async throws -> Result {
        let delivery = MediaDelivery(
            channels: RadioPublisher().directory, titles: FakeTitles(), threadPool: .singleton, viewing: Doorkeeper())
        let table = EndpointTable.serving(InMemoryContent()) { $0.delivery = delivery }
        return try await Application(router: table.router()).test(.router) { client in
            try await body { fields in
                try await client.execute(uri: "/api/v1/authorize", method: .get, headers: fields)
            }
        }
    }

    private func ask(_ fields: HTTPFields) async throws -> TestResponse { try await asking { try await $0(fields) } }

    private func ask(_ target: String) async throws -> TestResponse { try await ask([Self.address: target]) }

    @Test(
        arguments: [
            ("/live/canalA.stream/video.m3u8?_HLS_msn=3&x=1", "/live/canalA.stream/video.m3u8?_HLS_msn=3"),
            ("/%6Cive/canal%41.stream/e/video/1.m4s", "/live/canalA.stream/e/video/1.m4s"),
            ("//live//canalA.stream/playlist.m3u8", "/live/canalA.stream/playlist.m3u8"),
        ]) func whatIsForEveryoneIsNamedAndMayBeKept(_ target: String, _ name: String) async throws
    {
        let answer = try await ask(target)
        #expect(answer.status == .noContent && answer.headers[Self.media] == name)
        #expect(answer.headers[.cacheControl] == "public, max-age=10")
    }

    @Test func aSignatureIsNotInTheName() async throws {
        let answer = try await ask("/signed/exp=9,id=a,sig=b/live/canalA.stream/playlist.m3u8?ll=0")
        #expect(answer.status == .noContent)
        #expect(answer.headers[Self.media] == "/signed/live/canalA.stream/playlist.m3u8?ll=0")
        #expect(answer.headers[.cacheControl] == "no-store")
    }

    @Test(
        arguments: [
            ("/signed/x/live/canalA.stream/playlist.m3u8", 403), ("/vod/film/playlist.m3u8", 403),
            ("/radio/song/file", 403), ("/vod/mp4:a.mp4/playlist.m3u8", 503),
            // No media, or none any more.
            ("/live/canalX.stream/playlist.m3u8", 404), ("/videoclub", 404), ("/vod/film/poster.jpg", 404), ("", 404),
            ("/live/canalA.stream/..%2f..%2fvod%2ffilm%2fplaylist.m3u8", 404),
            ("/signed/exp=9,id=a,sig=b/vod/own/%2e%2e%2ffilm%2fREV/video/0.m4s", 404),
            ("/signed/exp=9,id=a,sig=b/vod/film/playlist.m3u8", 404),
            ("/live/canalA.stream/%c0%ae%c0%ae/x.m3u8", 404), ("/live/canalA.stream/a\\b.m3u8", 404),
            ("/live/canalA.stream/video.m3u8?_HLS_msn=3&_HLS_msn=4", 400),
            ("/live/canalA.stream/e/video/1.m4s?_hls_msn=3", 400),
        ]) func everythingElseIsRefused(_ target: String, _ status: Int) async throws
    {
        let answer = try await ask(target)
        #expect(answer.status.code == status)
        #expect(answer.headers[Self.media] == nil && answer.headers[.cacheControl] == "no-store")
    }

    /// A client may send such a header itself, and some proxies pass it on or add to it.
    @Test func exactlyOneHeaderNamesTheAddress() async throws {
        let (open, film) = ("/live/canalA.stream/playlist.m3u8", "/vod/film/playlist.m3u8")
        #expect(try await ask([Self.forwarded: open]).status == .noContent)
        #expect(try await ask([:]).status == .badRequest)
        #expect(try await ask([Self.address: open, Self.forwarded: film]).status == .badRequest)
        #expect(try await ask([Self.address: film, Self.forwarded: open]).status == .badRequest)
        var twice: HTTPFields = [Self.address: open]
        twice.append(HTTPField(name: Self.address, value: film))
        #expect(try await ask(twice).status == .badRequest)
    }

    /// No spelling of an address is approved under the name of something else.
    @Test(arguments: MediaPaths.all()) func approvalsAreAboutWhatIsAskedFor(_ target: String) async throws {
        let path = String(target.prefix { $0 != "?" })
        try await asking { ask async throws in
            for spelling in AddressSpellings.crossing(from: "/live/canalB.stream", to: path) {
                guard !spelling.unicodeScalars.contains(where: { $0.value < 0x20 }) else { continue }
                #expect(try await ask([Self.address: spelling]).status == .notFound, "\(spelling)")
            }
        }
    }
}
