import GatewayTestSupport
import HTTPTypes
import LiveChannels
import MediaCore
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import NIOPosix
import Packaging
import Synchronization
import TestSupport
import Testing

@testable import HLSDelivery

/// The viewing rights for every kind of URL that serves media.
@Suite(.timeLimit(.minutes(1)))
struct ViewingTests {
    /// Lets in clients that send the right word, unless a subject is for everyone.
    private final class Doorkeeper: ViewingAuthority {
        let open = Mutex<Set<MediaSubject>>([])
        let asked = Mutex<[MediaSubject]>([])

        func isForEveryone(_ subject: MediaSubject) -> Bool { open.withLock { $0.contains(subject) } }

        /// Whether everything that is not open is for invited people.
        let conceals = Atomic(false)

        func isConcealed(_ subject: MediaSubject) -> Bool { conceals.load(ordering: .relaxed) }

        /// The decisions about signatures that are known at once, and those that have to be asked for.
        let known = Mutex<[String: ViewingDecision]>([:])
        let later = Mutex<[String: ViewingDecision]>([:])
        let folders = Mutex<[String]>([])

        func decideNow(_ request: ViewingRequest) -> ViewingDecision? {
            folders.withLock { $0.append(request.address.folder) }
            return request.address.signature.flatMap { signature in known.withLock { $0[signature] } }
        }

        func decide(_ request: ViewingRequest) async -> ViewingDecision {
            if let signature = request.address.signature {
                return later.withLock { $0[signature] } ?? .linkNotValid(reason: "unknown")
            }
            asked.withLock { $0.append(request.address.subject) }
            if request.query.contains("jwt=good") { return .allowedWithSignature("exp=9,id=a,sig=b") }
            return switch request.fields[.authorization] {
            case "right": .allowed
            case "other": .forbidden
            case "outage": .unavailable
            default: conceals.load(ordering: .relaxed) ? .concealed : .loginNeeded
            }
        }
    }

    private final class Fixture: Sendable {
        let doorkeeper = Doorkeeper()
        let titles = FakeTitles()
        let folder: TemporaryDirectory
        private let delivery: MediaDelivery
        private let threads = NIOThreadPool(numberOfThreads: 1)

        init(hasDoorkeeper: Bool = true) throws {
            folder = try TemporaryDirectory()
            threads.start()
            delivery = MediaDelivery(
                channels: RadioPublisher().directory, titles: titles, threadPool: threads,
                viewing: hasDoorkeeper ? doorkeeper : nil)
            let publisher = RadioPublisher()
            try publisher.begin()
            publisher.push(segments: 8)
            let title = try publisher.title(in: folder, name: "r1.mp4")
            titles.set(.ready(title, revision: "r1", extras: TitleExtras()), at: .title(id: "bunny"))
        }

        deinit { threads.shutdownGracefully { _ in } }

        func decide(_ target: String, _ fields: HTTPFields = [:]) async -> AddressDecision {
            await delivery.decide(target, fields: fields, from: nil)
        }

        func get(_ path: String, _ fields: HTTPFields = [:]) async throws -> ReceivedAnswer {
            let delivery = delivery
            let channel = try await NIOAsyncTestingChannel { channel in
                try channel.pipeline.syncOperations.addHandlers([
                    MediaDeliveryHandler(delivery: delivery), FakeRouter(),
                ])
            }
            try await channel.connect(to: SocketAddress(ipAddress: "192.0.2.9", port: 80)).get()
            for part in TestRequest.parts(path, fields: fields) { try await channel.writeInbound(part) }
            var parts: [HTTPResponsePart] = []
            while true {
                let part = try await channel.waitForOutboundWrite(as: HTTPResponsePart.self)
                parts.append(part)
                if case .end = part { break }
            }
            return try #require(ReceivedAnswer.answers(parts).first)
        }
    }

    private static let paths = MediaPaths.all()

    @Test(arguments: paths) func onlyWhoIsLetInGetsAnything(_ path: String) async throws {
        let fixture = try Fixture()
        for (word, status) in [(nil, 401), ("wrong", 401), ("other", 403), ("outage", 503)] as [(String?, Int)] {
            var fields: HTTPFields = [:]
            fields[.authorization] = word
            let answer = try await fixture.get(path, fields)
            #expect(answer.status == status, "\(word ?? "-")")
            #expect(answer.head.headerFields[.cacheControl] == "no-store")
        }
        let admitted = try await fixture.get(path, [.authorization: "right"])
        #expect(![401, 403, 503].contains(admitted.status))
        let caching = admitted.head.headerFields[.cacheControl] ?? ""
        #expect(caching.hasPrefix("private") && !caching.contains("public"), "\(caching)")
        #expect(fixture.doorkeeper.asked.withLock { $0.count } == 5)
    }

    /// Media for invited people is answered like a path that does not exist: the same status, header and body, for
    /// every kind of URL.
    @Test(arguments: paths) func whatIsConcealedAnswersLikeNothing(_ path: String) async throws {
        let fixture = try Fixture()
        fixture.doorkeeper.conceals.store(true, ordering: .relaxed)
        // The fixture has `bunny` and `canalA`, and nothing with the other names.
        let other = path.replacing("bunny", with: "nobody").replacing("canalA", with: "canalX")
        let concealed = try await fixture.get(path)
        fixture.doorkeeper.open.withLock {
            $0 = [
                .title(id: "nobody"), .channel("canalX"), .titleFile(name: "a.mp4"), .track(id: "song"),
                .track(id: "s"),
            ]
        }
        let unknown = try await fixture.get(other)
        #expect(concealed.status == 404 && unknown.status == 404)
        var (fields, others) = (concealed.head.headerFields, unknown.head.headerFields)
        (fields[.contentLength], others[.contentLength]) = (nil, nil)
        #expect(fields == others)
        let text = String(buffer: concealed.body)
            .replacing("bunny", with: "nobody").replacing("canalA", with: "canalX")
        #expect(text == String(buffer: unknown.body))
    }

    /// A redirection to a made-up signature would tell that there is something.
    @Test func onlyAValidSignatureInTheQueryLeadsToWhatIsConcealed() async throws {
        let fixture = try Fixture()
        fixture.doorkeeper.conceals.store(true, ordering: .relaxed)
        fixture.doorkeeper.known.withLock {
            $0 = ["exp=17,id=a1,sig=x": .concealed, "exp=18,id=a1,sig=x": .allowedByPath(seconds: 9)]
        }
        #expect(try await fixture.get("/vod/bunny/playlist.m3u8?exp=17&id=a1&sig=x").status == 404)
        #expect(try await fixture.get("/vod/bunny/playlist.m3u8?exp=18&id=a1&sig=x").status == 302)
        fixture.doorkeeper.later.withLock { $0 = ["exp=19,id=a1,sig=x": .allowedByPath(seconds: 9)] }
        #expect(try await fixture.get("/vod/bunny/playlist.m3u8?exp=19&id=a1&sig=x").status == 302)
    }

    /// A signature in the path opens every kind of URL below the same folder, and copies end with it.
    @Test(arguments: paths) func aSignatureInThePathSuffices(_ path: String) async throws {
        let fixture = try Fixture()
        fixture.doorkeeper.known.withLock { $0["exp=9,id=a,sig=b"] = .allowedByPath(seconds: 20) }
        let answer = try await fixture.get("/signed/exp=9,id=a,sig=b\(path)")
        #expect(![302, 401, 403].contains(answer.status))
        let caching = answer.head.headerFields[.cacheControl] ?? ""
        let age = caching.split(separator: "max-age=").last.flatMap { Int($0.prefix { $0.isNumber }) }
        #expect((age ?? 0) <= 20, "\(caching)")
        #expect(fixture.doorkeeper.asked.withLock { $0.isEmpty })
        fixture.doorkeeper.known.withLock { $0["exp=9,id=a,sig=b"] = .linkNotValid(reason: "the link has expired") }
        let late = try await fixture.get("/signed/exp=9,id=a,sig=b\(path)")
        #expect(late.status == 403 && late.head.headerFields[.cacheControl] == "no-store")
    }

    @Test func aSignatureThatHasToBeLookedUpIs() async throws {
        let fixture = try Fixture()
        fixture.doorkeeper.later.withLock { $0["s"] = .allowedByPath(seconds: 100_000_000) }
        let answer = try await fixture.get("/signed/s/vod/bunny/r1/audio/0.m4s")
        #expect(answer.status == 200 && answer.head.headerFields[.cacheControl] == CachePolicy.media)
        #expect(try await fixture.get("/signed/t/vod/bunny/r1/audio/0.m4s").status == 403)
    }

    /// All that a playlist names has an address relative to the playlist's, so it has the same signature.
    @Test func playlistsNameNothingOutsideTheirFolder() async throws {
        let fixture = try Fixture()
        fixture.doorkeeper.open.withLock { $0 = [.title(id: "bunny")] }
        let playlist = try await fixture.get("/vod/bunny/playlist.m3u8")
        let text = String(buffer: playlist.body)
        #expect(text.contains("audio.m3u8") && !text.contains("\n/") && !text.contains("URI=\"/"))
    }

    /// Players that are given `?exp=…&id=…&sig=…` are led to the path form; other parameters stay.
    @Test func aSignatureInTheQueryBecomesAPath() async throws {
        let fixture = try Fixture()
        let answer = try await fixture.get("/vod/bunny/playlist.m3u8?exp=17&format=ts&id=a1&sig=x-_y")
        #expect(answer.status == 302 && answer.head.headerFields[.cacheControl] == "no-store")
        #expect(
            answer.head.headerFields[.location] == "/signed/exp=17,id=a1,sig=x-_y/vod/bunny/playlist.m3u8?format=ts")
        // Clients that may watch anyway are not redirected.
        fixture.doorkeeper.open.withLock { $0 = [.title(id: "bunny")] }
        #expect(try await fixture.get("/vod/bunny/playlist.m3u8?exp=17&id=a1&sig=x").status == 200)
    }

    /// Text from the address is repeated in a header, so nothing but letters and digits is.
    @Test(arguments: ["exp=1&id=a&sig=b%0d%0aX:1", "exp=1&id=a,b&sig=c", "exp=1&id=a/b&sig=c", "exp=1&id=a"])
    func signaturesInQueriesAreLettersAndDigits(_ query: String) async throws {
        let answer = try await Fixture().get("/vod/bunny/playlist.m3u8?\(query)")
        #expect(answer.status == 401)
    }

    @Test func aTokenForTheFirstRequestBecomesASignature() async throws {
        let answer = try await Fixture().get("/vod/bunny/playlist.m3u8?jwt=good&ll=0")
        #expect(answer.status == 302)
        #expect(
            answer.head.headerFields[.location] == "/signed/exp=9,id=a,sig=b/vod/bunny/playlist.m3u8?ll=0")
    }

    /// Each spelling of a path has the same folder, and no two things have one folder.
    @Test(arguments: [
        ("/live/canalA.stream/playlist.m3u8", "/live/canalA.stream"),
        ("/signed/s/live/canalA.stream/e/audio/1.0.m4s", "/live/canalA.stream"),
        ("/vod/_definst_/mp4:a/b%20c.mp4/playlist.m3u8", "/vod/mp4:a/b%20c.mp4"),
        ("/vod/mp4%3Aa/b%20c.mp4/playlist.m3u8", "/vod/mp4:a/b%20c.mp4"),
        ("/vod/%61b/playlist.m3u8", "/vod/ab"), ("/radio/song/file", "/radio/song"),
    ]) func foldersAreUnambiguous(_ path: String, _ folder: String) {
        #expect(MediaAddress(target: path)?.folder == folder)
    }

    @Test(
        arguments: [
            ("/live/canalA.stream", "/live/canalA.stream/playlist.m3u8"),
            ("/vod/film/", "/vod/film/playlist.m3u8"), ("/radio/song/file", "/radio/song/file"),
            ("/vod/film/playlist.m3u8?format=ts", "/vod/film/playlist.m3u8?format=ts"),
            ("/vod/f%69lm/playlist.m3u8?x=1&format=ts", "/vod/film/playlist.m3u8?format=ts"),
            ("/vod/_definst_/mp4%3Aa.mp4", "/vod/mp4:a.mp4/playlist.m3u8"),
            ("/vod/film/playlist.m3u8?format=ts&format=ts", nil), ("/vod/film%2fplaylist.m3u8", nil),
            ("/vod/film/r1/audio/0.m4s", nil), ("/signed/s/vod/film/playlist.m3u8", nil), ("https://a/vod/b", nil),
            ("/vod/film/playlist.m3u8\r\nX: 1", nil), ("/cuenta", nil),
        ] as [(String, String?)]) func linksLeadToPlaylistsAndFiles(_ path: String, _ target: String?)
    {
        #expect(MediaAddress.entry(path)?.target == target)
    }

    @Test func whatIsForEveryoneIsNotAskedFor() async throws {
        let fixture = try Fixture()
        fixture.doorkeeper.open.withLock { $0 = [.title(id: "bunny")] }
        let answer = try await fixture.get("/vod/bunny/playlist.m3u8")
        #expect(answer.status == 200 && answer.head.headerFields[.cacheControl]?.contains("private") != true)
        #expect(fixture.doorkeeper.asked.withLock { $0.isEmpty })
        #expect(try await fixture.get("/radio/song/playlist.m3u8").status == 401)
    }

    /// A challenge for a password would open the browser's own window over the page.
    @Test func pagesAreNotChallengedForAPassword() async throws {
        let fixture = try Fixture()
        let player = try await fixture.get("/vod/bunny/playlist.m3u8")
        #expect(player.head.headerFields[.wwwAuthenticate] == "Basic realm=\"Antena\"")
        let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
        let page = try await fixture.get("/vod/bunny/playlist.m3u8", [site: "same-origin"])
        #expect(page.head.headerFields[.wwwAuthenticate] == "Bearer")
    }

    /// The media itself is that of a title for everyone.
    @Test func aMemberGetsTheSameBytes() async throws {
        let fixture = try Fixture()
        let member = try await fixture.get("/vod/bunny/r1/audio/0.m4s", [.authorization: "right"])
        fixture.doorkeeper.open.withLock { $0 = [.title(id: "bunny")] }
        let everyone = try await fixture.get("/vod/bunny/r1/audio/0.m4s")
        #expect(member.status == 200 && member.body == everyone.body && member.body.readableBytes > 1_000)
        #expect(everyone.head.headerFields[.cacheControl] == CachePolicy.media)
        #expect(member.head.headerFields[.cacheControl] == "private, max-age=31536000, immutable")
    }

    /// Shared caches that nobody tells of a new price ask again within a minute, for every kind of URL.
    @Test(arguments: paths) func sharedCachesKeepNothingForLong(_ path: String) async throws {
        let fixture = try Fixture()
        fixture.doorkeeper.open.withLock {
            $0 = Self.everything
        }
        let caching = try await fixture.get(path).head.headerFields[.cacheControl] ?? ""
        let directives = caching.split(separator: ",").map { $0.filter { $0 != " " } }
        let age = directives.first { $0.hasPrefix("s-maxage=") } ?? directives.first { $0.hasPrefix("max-age=") }
        let seconds = age.flatMap { Int($0.drop { $0 != "=" }.dropFirst()) } ?? 0
        #expect(seconds < 60 || directives.contains("private") || directives.contains("no-store"), "\(caching)")
    }

    /// Otherwise a made-up address would be a second one for everything that is public.
    @Test(arguments: paths) func aWrongSignatureIsRefusedAlsoForWhatIsPublic(_ path: String) async throws {
        let fixture = try Fixture()
        fixture.doorkeeper.open.withLock {
            $0 = Self.everything
        }
        let answer = try await fixture.get("/signed/x\(path)")
        #expect(answer.status == 403 && answer.head.headerFields[.cacheControl] == "no-store")
        let decision = await fixture.decide("/signed/x\(path)")
        #expect(decision == .decided(.linkNotValid(reason: "unknown"), address: try address("/signed/x\(path)")))
        fixture.doorkeeper.known.withLock { $0["s"] = .allowedByPath(seconds: 20) }
        #expect(try await fixture.get("/signed/s\(path)").status != 403)
    }

    private func address(_ target: String) throws -> String {
        try #require(MediaRequest(target: target)).canonicalAddress
    }

    /// The subjects that ``paths`` lead to.
    private static let everything: Set<MediaSubject> = [
        .title(id: "bunny"), .channel("canalA"), .titleFile(name: "a.mp4"), .track(id: "song"), .track(id: "s"),
    ]

    /// A server that has no accounts has no signatures either.
    @Test func withoutAccountsNothingIsSigned() async throws {
        let fixture = try Fixture(hasDoorkeeper: false)
        #expect(try await fixture.get("/vod/bunny/playlist.m3u8").status == 200)
        #expect(try await fixture.get("/signed/x/vod/bunny/playlist.m3u8").status == 403)
    }

    @Test(arguments: paths) func parametersThatCanBeReadInTwoWaysAreRefused(_ path: String) async throws {
        let fixture = try Fixture()
        let join = path.contains("?") ? "&" : "?"
        for query in ["_hls_msn=3", "ll=0&ll=1", "Format=ts", "form%61t=ts", "_HLS_msn=5&_HLS_msn=1"] {
            let target = "\(path)\(join)\(query)"
            let answer = try await fixture.get(target, [.authorization: "right"])
            #expect(answer.status == 400 && answer.head.headerFields[.cacheControl] == "no-store", "\(target)")
            guard case .conflict = await fixture.decide(target) else {
                Issue.record("\(target) is decided about")
                continue
            }
        }
    }

    /// A proxy is told what it has asked about, and nothing that it could take for something else.
    @Test(arguments: paths) func decisionsNameTheMedia(_ path: String) async throws {
        let fixture = try Fixture()
        fixture.titles.set(.unknown, at: .title(id: "bunny"))
        for word in ["right", "other"] {
            switch await fixture.decide(path, [.authorization: word]) {
            case .decided(let decision, let address):
                #expect(MediaRequest(target: address)?.source == MediaRequest(target: path)?.source)
                #expect(MediaRequest(target: address)?.resource == MediaRequest(target: path)?.resource)
                // Nobody may have what there is not; who may not have it learns nothing more.
                #expect(decision == .forbidden || path.hasSuffix("/file") || path.hasPrefix("/live"))
            case .nothing: #expect(word == "right")
            case .conflict(let reason): Issue.record("\(reason)")
            }
        }
        for spelling in AddressSpellings.crossing(from: "/live/canalA.stream", to: path) {
            #expect(await fixture.decide(spelling, [.authorization: "right"]) == .nothing, "\(spelling)")
        }
    }
}
