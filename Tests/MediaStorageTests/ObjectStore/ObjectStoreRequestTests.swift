import MediaCore
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@testable import MediaStorage

/// The requests of an `ObjectStore`, and its reading of answers.
struct ObjectStoreRequestTests {
    private static let headOfAnObject = ScriptedServer.Answer(
        headers: [("Content-Length", "1000"), ("ETag", "\"v1\"")])

    /// A server with one object of 1,000 bytes, which understands ranges.
    private static func part(of request: ScriptedServer.Request, version: String = "v1") -> ScriptedServer.Answer {
        let range = request.headers.first(name: "range")?.dropFirst("bytes=".count).split(separator: "-") ?? []
        guard range.count == 2, let first = Int64(range[0]), let last = Int64(range[1]) else {
            return ScriptedServer.Answer(status: 400)
        }
        return ScriptedServer.Answer(
            status: 206, headers: [("ETag", "\"\(version)\""), ("Content-Range", "bytes \(first)-\(last)/1000")],
            body: testBytes(first..<(last + 1)))
    }

    private func failure(
        _ answer: ScriptedServer.Answer, settings: ObjectStoreSettings = TestStore.quickSettings
    ) async throws -> (error: MediaStorageError, requestCount: Int) {
        let server = try await ScriptedServer { _, _ in answer }
        let error = try await TestStore.with(port: server.port, settings: settings) { store in
            await #expect(throws: MediaStorageError.self) { try await store.bytes("a/film.mp4", 0..<10) }
        }
        try await server.shutDown()
        return (try #require(error), server.requests.count)
    }

    @Test(arguments: [500, 502, 503, 429, 408])
    func repeatsWhatMaySucceedLater(status: Int) async throws {
        let server = try await ScriptedServer { request, number in
            number < 3 ? .error(status, "Unwell") : Self.part(of: request)
        }
        let bytes = try await TestStore.with(port: server.port) { try await $0.bytes("film.mp4", 5..<15) }
        #expect(bytes == testBytes(5..<15))
        #expect(server.requests.count == 3)
        try await server.shutDown()
    }

    /// Each answer begins, and goes on byte by byte.
    @Test func aStoreThatTricklesIsGivenUp() async throws {
        var settings = TestStore.quickSettings
        settings.answerTimeout = .milliseconds(200)
        settings.paceTime = .milliseconds(200)
        settings.minimumByteCountPerSecond = 4_000
        let server = try await ScriptedServer { request, _ in
            var answer = ScriptedServer.Answer(
                status: request.headers.contains(name: "range") ? 206 : 200,
                headers: [("ETag", "\"v1\""), ("Content-Length", "1000"), ("Content-Range", "bytes 0-999/1000")])
            answer.trickles = true
            return answer
        }
        try await TestStore.with(port: server.port, settings: settings) { store in
            await #expect(throws: MediaStorageError.self) { try await store.bytes("film.mp4", 0..<1_000) }
            await #expect(throws: MediaStorageError.self) { try await store.list(prefix: "", after: nil, limit: 9) }
        }
        #expect(server.requests.count <= 10)
        try await server.shutDown()
    }

    @Test func givesUpAfterFiveTries() async throws {
        let (error, count) = try await failure(.error(503, "SlowDown"))
        #expect(count == 5)
        #expect(error.code == .unavailable && error.status == 503 && error.storeCode == "SlowDown")
        #expect(error.isTemporary)
        #expect(
            error.description == "cannot read a/film.mp4: the store answers with status 503 (SlowDown); 5 tries failed")
    }

    @Test(arguments: [
        (403, "AccessDenied", MediaStorageError.Code.accessDenied), (404, "NoSuchKey", .notFound),
        (404, "NoSuchBucket", .notFound), (412, "PreconditionFailed", .changed), (416, "InvalidRange", .invalidRequest),
        (400, "InvalidArgument", .refused), (501, "NotImplemented", .refused),
        (403, "SignatureDoesNotMatch", .accessDenied), (301, "PermanentRedirect", .refused),
    ])
    func doesNotRepeatWhatIsRefused(status: Int, code: String, expected: MediaStorageError.Code) async throws {
        let (error, count) = try await failure(.error(status, code))
        #expect(count == 1)
        #expect(error.code == expected && error.status == status && error.storeCode == code)
        #expect(!error.description.contains("top-secret"))
    }

    @Test func namesTheRegionOfTheBucket() async throws {
        let (error, _) = try await failure(
            .error(301, "PermanentRedirect", [("x-amz-bucket-region", "eu-south-2")]))
        #expect(error.reason.contains("set region=eu-south-2"))
    }

    @Test(arguments: [(-700, "12 min behind"), (1_200, "20 min ahead of")])
    func saysHowFarTheClockIsOff(seconds: Int64, text: String) async throws {
        // 2026-11-23T08:55:02Z, as the server's Date says.
        let clock = TestClock(WallClockTime(secondsSince1970: 1_795_424_102 + seconds))
        let server = try await ScriptedServer { _, _ in
            .error(403, "RequestTimeTooSkewed", [("Date", "Mon, 23 Nov 2026 08:55:02 GMT")])
        }
        let error = try await TestStore.with(port: server.port, wallClock: clock.wallClock) { store in
            await #expect(throws: MediaStorageError.self) { try await store.head("film.mp4") }
        }
        #expect(error?.code == .clockSkew)
        #expect(
            error?.reason.contains("this machine's clock is \(text) the store's") == true,
            "\(String(describing: error))")
        try await server.shutDown()
    }

    @Test func goesOnFromTheByteItHasWhenAnAnswerBreaksOff() async throws {
        let server = try await ScriptedServer { request, number in
            var answer = Self.part(of: request)
            if number < 8 { answer.cutAfter = 100 }
            return answer
        }
        let bytes = try await TestStore.with(port: server.port) { try await $0.bytes("film.mp4", 100..<900) }
        #expect(bytes == testBytes(100..<900))
        // More than five tries, because each of them brought something.
        let ranges = server.requests.map { $0.headers.first(name: "range") ?? "" }
        #expect(ranges == (1...8).map { "bytes=\($0 * 100)-899" })
        // The rest must be of the same object.
        #expect(
            server.requests.map { $0.headers.first(name: "if-match") } == [nil] + Array(repeating: "\"v1\"", count: 7))
        try await server.shutDown()
    }

    @Test func noticesThatTheObjectWasReplaced() async throws {
        let server = try await ScriptedServer { request, number in
            var answer = Self.part(of: request, version: number == 1 ? "v1" : "v2")
            if number == 1 { answer.cutAfter = 100 }
            return answer
        }
        try await TestStore.with(port: server.port) { store in
            let within = await #expect(throws: MediaStorageError.self) { try await store.bytes("film.mp4", 0..<900) }
            #expect(within?.code == .changed)
            let before = await #expect(throws: MediaStorageError.self) {
                try await store.bytes("film.mp4", 0..<900, version: "v1")
            }
            #expect(before?.code == .changed)
        }
        try await server.shutDown()
    }

    @Test func refusesAnswersThatAreNotTheRange() async throws {
        let whole = try await failure(
            ScriptedServer.Answer(headers: [("ETag", "\"v1\"")], body: testBytes(0..<1_000)))
        #expect(whole.error.code == .malformedAnswer && whole.error.reason.contains("must support ranges"))
        let other = try await failure(
            ScriptedServer.Answer(
                status: 206, headers: [("Content-Range", "bytes 5-14/1000")], body: testBytes(5..<15)))
        #expect(other.error.code == .malformedAnswer)
    }

    @Test func namesTheTimeOutOfASilentStore() async throws {
        var settings = TestStore.quickSettings
        settings.readTimeout = .milliseconds(100)
        settings.readRetries.maximumTryCount = 2
        let (error, count) = try await failure(ScriptedServer.Answer(isSilent: true), settings: settings)
        #expect(count == 2)
        #expect(error.code == .unavailable && error.reason.contains("fell silent for 0.1 s"), "\(error)")
    }

    @Test func namesAStoreThatIsNotThere() async throws {
        let server = try await ScriptedServer { _, _ in ScriptedServer.Answer() }
        let port = server.port
        try await server.shutDown()
        let error = try await TestStore.with(port: port) { store in
            await #expect(throws: MediaStorageError.self) { try await store.bytes("film.mp4", 0..<10) }
        }
        #expect(error?.code == .unavailable)
        #expect(error?.reason.contains("no connection to 127.0.0.1:\(port)") == true)
    }

    @Test func errorsOfTheReaderEndTheRead() async throws {
        struct DiskFull: Error {}
        let server = try await ScriptedServer { request, _ in Self.part(of: request) }
        try await TestStore.with(port: server.port) { store in
            await #expect(throws: DiskFull.self) {
                try await store.read("film.mp4", range: 0..<900, version: nil) { _ in throw DiskFull() }
            }
        }
        #expect(server.requests.count == 1)
        try await server.shutDown()
    }

    @Test func refusesMoreCallsThanMayWait() async throws {
        var settings = TestStore.quickSettings
        (settings.maximumRequestCount, settings.maximumWaitingCount) = (2, 3)
        settings.retries.maximumTryCount = 1
        let server = try await ScriptedServer { _, _ in ScriptedServer.Answer(isSilent: true) }
        let codes = try await TestStore.with(port: server.port, settings: settings) { store in
            await withTaskGroup(of: MediaStorageError.Code?.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        do {
                            _ = try await store.head("film.mp4")
                            return nil
                        } catch {
                            return (error as? MediaStorageError)?.code
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(codes.filter { $0 == .busy }.count == 3)
        #expect(codes.filter { $0 == .unavailable }.count == 5)
        try await server.shutDown()
    }

    @Test func cancellingACallThatWaitsEndsIt() async throws {
        var settings = TestStore.quickSettings
        settings.maximumRequestCount = 1
        settings.readTimeout = .seconds(20)
        let server = try await ScriptedServer { _, _ in ScriptedServer.Answer(isSilent: true) }
        try await TestStore.with(port: server.port, settings: settings) { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 { group.addTask { _ = try await store.head("film.mp4") } }
                try await eventually { server.requests.count == 1 }
                group.cancelAll()
                while let result = await group.nextResult() {
                    #expect(throws: CancellationError.self) { try result.get() }
                }
            }
        }
        try await server.shutDown()
    }

    @Test func asksForNewCredentialsOnceWhenTheStoreRefusesThem() async throws {
        let folder = try TemporaryDirectory(label: "credentials")
        func write(_ id: String) throws -> String {
            try folder.write("[default]\naws_access_key_id = \(id)\naws_secret_access_key = s\n", to: "credentials")
        }
        let file = try write("old")
        let server = try await ScriptedServer { request, _ in
            request.headers.first(name: "authorization")?.contains("Credential=old/") == true
                ? .error(403, "InvalidAccessKeyId") : Self.headOfAnObject
        }
        let object = try await TestStore.with(
            port: server.port, environment: ["AWS_SHARED_CREDENTIALS_FILE": file]
        ) { store in
            await #expect(throws: MediaStorageError.self) { try await store.bytes("film.mp4", 0..<10) }
            #expect(server.requests.count == 2)
            _ = try write("new")
            return try await store.head("film.mp4")
        }
        #expect(object == StoredObject(key: "film.mp4", byteCount: 1_000, version: "v1"))
        try await server.shutDown()
    }

    // MARK: Puts

    private static func confirming(
        _ request: ScriptedServer.Request, tag: String, byteCount: Int
    ) -> ScriptedServer.Answer? {
        guard request.method == "HEAD" else { return nil }
        return ScriptedServer.Answer(headers: [("Content-Length", "\(byteCount)"), ("ETag", "\"\(tag)\"")])
    }

    @Test func sendsChecksumsWithAPut() async throws {
        let folder = try TemporaryDirectory(label: "put")
        let file = try folder.write("hello world", to: "film.mp4")
        let tag = "5eb63bbbe01eeed093cb22bb8f5acdc3"
        let server = try await ScriptedServer { request, _ in
            Self.confirming(request, tag: tag, byteCount: 11)
                ?? ScriptedServer.Answer(headers: [("ETag", "\"\(tag)\"")])
        }
        let object = try await TestStore.with(port: server.port, prefix: "library") { store in
            try await store.put(fileAt: file, as: "año 1/film.mp4", contentType: "video/mp4")
        }
        let hash = "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"
        #expect(object == StoredObject(key: "año 1/film.mp4", byteCount: 11, version: tag, sha256: hash))
        let put = try #require(server.requests.first)
        #expect(put.text == "PUT /media/library/a%C3%B1o%201/film.mp4")
        #expect(put.body == Array("hello world".utf8))
        #expect(put.headers.first(name: "content-md5") == "XrY7u+Ae7tCTyyK7j1rNww==")
        #expect(put.headers.first(name: "x-amz-content-sha256") == hash)
        #expect(put.headers.first(name: "x-amz-meta-sha256") == hash)
        #expect(put.headers.first(name: "content-type") == "video/mp4")
        #expect(put.headers["content-length"] == ["11"] && !put.headers.contains(name: "transfer-encoding"))
        let names = put.headers.map { $0.name.lowercased() }
        #expect(!names.contains { $0.contains("acl") || $0.contains("trailer") || $0.contains("checksum") })
        try await server.shutDown()
    }

    @Test func noticesThatTheStoreHasOtherBytes() async throws {
        let folder = try TemporaryDirectory(label: "put")
        let file = try folder.write("hello world", to: "film.mp4")
        let server = try await ScriptedServer { _, _ in
            ScriptedServer.Answer(headers: [("ETag", "\"00000000000000000000000000000000\"")])
        }
        let error = try await TestStore.with(port: server.port) { store in
            await #expect(throws: MediaStorageError.self) {
                try await store.put(fileAt: file, as: "film.mp4", contentType: "video/mp4")
            }
        }
        #expect(error?.code == .corrupted)
        #expect(server.requests.count == 5)
        try await server.shutDown()
    }

    /// A server that takes uploads of several parts.
    private static func multipartAnswer(_ request: ScriptedServer.Request) -> ScriptedServer.Answer {
        switch request.method {
        case "POST" where request.uri.hasSuffix("?uploads="):
            .xml("<InitiateMultipartUploadResult><UploadId>u&amp;1</UploadId></InitiateMultipartUploadResult>")
        case "PUT": ScriptedServer.Answer(headers: [("ETag", "\"opaque\"")])
        case "DELETE": ScriptedServer.Answer(status: 204)
        default: .error(500, "Unexpected")
        }
    }

    private static var smallParts: ObjectStoreSettings {
        var settings = TestStore.quickSettings
        settings.minimumPartByteCount = 1 << 20
        return settings
    }

    @Test func readsTheErrorInASuccessfulAnswerAndAborts() async throws {
        let folder = try TemporaryDirectory(label: "put")
        let file = try folder.write(Array(repeating: 7, count: 2_500_000), to: "film.mp4")
        let server = try await ScriptedServer { request, _ in
            request.method == "POST" && request.uri.contains("uploadId")
                ? .xml("<Error><Code>InternalError</Code></Error>") : Self.multipartAnswer(request)
        }
        let error = try await TestStore.with(port: server.port, settings: Self.smallParts) { store in
            await #expect(throws: MediaStorageError.self) {
                try await store.put(fileAt: file, as: "film.mp4", contentType: "video/mp4")
            }
        }
        #expect(error?.code == .unavailable && error?.storeCode == "InternalError")
        let texts = server.requests.map(\.text)
        #expect(texts.filter { $0.hasPrefix("PUT") }.count == 3)
        #expect(texts.filter { $0.hasPrefix("POST /media/film.mp4?uploadId=u%261") }.count == 5)
        #expect(texts.last == "DELETE /media/film.mp4?uploadId=u%261")
        try await server.shutDown()
    }

    @Test func abortsAnUploadThatIsCancelled() async throws {
        let folder = try TemporaryDirectory(label: "put")
        let file = try folder.write(Array(repeating: 7, count: 2_500_000), to: "film.mp4")
        var settings = Self.smallParts
        settings.readTimeout = .seconds(20)
        let server = try await ScriptedServer { request, _ in
            request.method == "PUT" ? ScriptedServer.Answer(isSilent: true) : Self.multipartAnswer(request)
        }
        try await TestStore.with(port: server.port, settings: settings) { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try await store.put(fileAt: file, as: "film.mp4", contentType: "video/mp4") }
                try await eventually { server.requests.filter { $0.method == "PUT" }.count == 3 }
                group.cancelAll()
                let result = await group.nextResult()
                #expect(throws: CancellationError.self) { try result?.get() }
            }
        }
        #expect(server.requests.last?.text == "DELETE /media/film.mp4?uploadId=u%261")
        try await server.shutDown()
    }

    /// Gibibytes of the file, and mebibytes of its parts.
    @Test(arguments: [(0, 16), (100, 16), (200, 21), (5_120, 525)])
    func partsAreLargeEnoughForTenThousand(gibibytes: Int64, mebibytes: Int64) {
        let byteCount = gibibytes << 30
        let size = ObjectStoreSettings().partByteCount(ofFile: byteCount)
        #expect(size == mebibytes << 20)
        #expect((byteCount + size - 1) / size <= 10_000)
    }

    // MARK: Lists

    @Test func goesThroughThePagesOfAList() async throws {
        @Sendable func page(_ names: [String], next: String?) -> ScriptedServer.Answer {
            let entries = names.map { "<Contents><Key>lib/\($0)</Key><Size>1</Size><ETag>\"e\"</ETag></Contents>" }
            return .xml(
                """
                <ListBucketResult><IsTruncated>\(next != nil)</IsTruncated>\
                \(next.map { "<NextContinuationToken>\($0)</NextContinuationToken>" } ?? "")\(entries.joined())\
                </ListBucketResult>
                """)
        }
        let server = try await ScriptedServer { request, _ in
            // `a` is not after `b`; a name of somebody else's with two slashes cannot be used.
            request.uri.contains("continuation-token=t%2B1")
                ? page(["f", "g", "h"], next: "t2")
                : page(["a", "c", "d//x", "e"], next: "t+1")
        }
        let keys = try await TestStore.with(port: server.port, prefix: "lib") { store in
            try await store.list(prefix: "", after: "b", limit: 4).map(\.key)
        }
        #expect(keys == ["c", "e", "f", "g"])
        #expect(
            server.requests.map(\.text) == [
                "GET /media?list-type=2&max-keys=4&prefix=lib%2F&start-after=lib%2Fb",
                "GET /media?continuation-token=t%2B1&list-type=2&max-keys=2&prefix=lib%2F",
            ])
        try await server.shutDown()
    }
}
