import Community
import Database
import DatabaseTestSupport
import Foundation
import Synchronization
import TestSupport
import Testing

extension EndToEnd {
    /// Members who like, comment, follow and report at random over HTTP, while their server is killed three times.
    @Suite(.eachEngine, .timeLimit(.minutes(5))) struct CommunityTortureTests {
        private static let memberCount = 6
        private static let videoCount = 3
        /// Changes of each member; more with `ANTENA_TORTURE=1000`.
        private static let stepCount =
            ProcessInfo.processInfo.environment["ANTENA_TORTURE"].flatMap(Int.init) ?? 30
        private static let threshold: Int64 = 4

        /// A member's confirmed changes.
        private struct Writer {
            var name: String
            var token: String
            var liked: Set<Int> = []
            /// Videos that were hidden at the last answer, so that an earlier change without an answer may have been
            /// made.
            var unknown: Set<Int> = []
            var followed: Set<String> = []
            var comments: Set<String> = []
        }

        private final class Station: Sendable {
            let server: AntenaProcess
            private let count = Mutex(0)

            init(_ server: AntenaProcess) { self.server = server }

            /// Number of changes that were confirmed.
            var changeCount: Int { count.withLock { $0 } }

            /// Sends a request until it gets an answer, whatever happens to the server meanwhile.
            func send(_ method: String, _ path: String, _ token: String, body: String? = nil) async throws -> WebReply {
                var headers = ["Authorization": "Bearer \(token)"]
                if body != nil { headers["Content-Type"] = "application/json" }
                let reply = try await eventually("\(path) is answered", within: 120) { [server, headers] in
                    let reply = try? await server.web.request(
                        path, method: method, headers: headers, body: body ?? "")
                    // The database is busy, or the server is not there.
                    return reply.flatMap { $0.status < 500 ? $0 : nil }
                }
                if reply.status < 300 { count.withLock { $0 += 1 } }
                return reply
            }
        }

        @Test func countersAgreeWithARecount() async throws {
            let channels = AntenaProcess.channelsFile().replacing(
                "\"presets\": {\n",
                with: """
                    "accounts": {"apiRequests": 100000}, "community": {"reportThreshold": \(Self.threshold)},
                    "presets": {

                    """)
            let server = try AntenaProcess(channels: channels)
            for index in 0..<Self.videoCount {
                try FileManager.default.copyItem(
                    atPath: try await MovieFixture.noBFrames.path(),
                    toPath: server.folder.file("media/vod/film\(index).mp4"))
            }
            try await server.start()
            let (http, rtsp) = (server.httpPort, server.rtspPort)
            let json = ["Content-Type": "application/json"]
            var videos: [String] = []
            for index in 0..<Self.videoCount {
                let title = try await server.ingested("film\(index).mp4")
                let video = try await server.request(
                    "/api/v1/videos", method: "POST", headers: json,
                    body: #"{"title": "\#(title.id)", "name": "Stage \#(index)"}"#)
                videos.append(try #require(try video.json["id"] as? String, "\(video.text)"))
            }
            var writers: [Writer] = []
            for index in 0..<Self.memberCount {
                let name = "member\(index)"
                _ = try await server.request(
                    "/api/v1/users", method: "POST", headers: json,
                    body: #"{"username": "\#(name)", "password": "correct horse battery", "role": "member"}"#)
                let token = try await server.request(
                    "/api/v1/tokens", method: "POST", headers: json, body: #"{"name": "t", "user": "\#(name)"}"#)
                writers.append(Writer(name: name, token: try #require(try token.json["secret"] as? String)))
            }
            let station = Station(server)
            let finished = try await withThrowingTaskGroup(of: Writer?.self) { group in
                for (index, writer) in writers.enumerated() {
                    group.addTask { [videos] in try await Self.run(writer, UInt64(index), videos, station) }
                }
                group.addTask {
                    for kill in 1...3 {
                        _ = try await eventually("the members go on", within: 120) {
                            station.changeCount >= kill * Self.memberCount * Self.stepCount / 5 ? true : nil
                        }
                        server.signal(SIGKILL)
                        _ = try await server.waitForExit(within: 30)
                        try await server.start(http: http, rtsp: rtsp)
                    }
                    return nil
                }
                return try await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
            }
            try await expectNothingIsLost(finished, videos, station)
            server.signal(SIGTERM)
            _ = try await server.waitForExit(within: 30)
            try await expectCountersAgree(server)
        }

        private static func run(
            _ writer: Writer, _ seed: UInt64, _ videos: [String], _ station: Station
        ) async throws -> Writer {
            var (writer, random) = (writer, SeededGenerator(seed: seed))
            for step in 0..<stepCount {
                let (index, isOn) = (
                    Int.random(in: 0..<videos.count, using: &random), Bool.random(using: &random)
                )
                let (method, video) = (isOn ? "PUT" : "DELETE", "/api/v1/videos/\(videos[index])")
                let other = "member\(Int.random(in: 0..<memberCount, using: &random))"
                switch Int.random(in: 0..<8, using: &random) {
                case 0...2:
                    let reply = try await station.send(method, "\(video)/like", writer.token)
                    // A hidden video is not there for members.
                    #expect(reply.status == 200 || reply.status == 404, "\(reply.text)")
                    guard reply.status == 200 else {
                        writer.unknown.insert(index)
                        continue
                    }
                    writer.unknown.remove(index)
                    if isOn { writer.liked.insert(index) } else { writer.liked.remove(index) }
                case 3:
                    guard other != writer.name else { continue }
                    let reply = try await station.send(method, "/api/v1/users/\(other)/follow", writer.token)
                    #expect(reply.status == 200, "\(reply.text)")
                    if isOn { writer.followed.insert(other) } else { writer.followed.remove(other) }
                case 4...5:
                    let text = "\(writer.name), step \(step)"
                    let reply = try await station.send(
                        "POST", "\(video)/comments", writer.token, body: #"{"text": "\#(text)"}"#)
                    #expect([201, 404, 429].contains(reply.status), "\(reply.text)")
                    if reply.status == 201 { writer.comments.insert(text) }
                default:
                    let body = isOn ? #"{"reason": "spam"}"# : nil
                    let reply = try await station.send(method, "\(video)/report", writer.token, body: body)
                    #expect(reply.status < 500, "\(reply.text)")
                }
            }
            return writer
        }

        /// All confirmed changes are kept.
        private func expectNothingIsLost(_ writers: [Writer], _ videos: [String], _ station: Station) async throws {
            let operatorToken = try station.server.operatorToken
            var comments: Set<String> = []
            for (index, video) in videos.enumerated() {
                // Moderators see what is hidden.
                let likers = try await names(station, "/api/v1/videos/\(video)/likes", "username", operatorToken)
                for writer in writers where !writer.unknown.contains(index) {
                    #expect(likers.contains(writer.name) == writer.liked.contains(index), "\(writer.name), \(index)")
                }
                comments.formUnion(try await names(station, "/api/v1/videos/\(video)/comments", "text", operatorToken))
            }
            for writer in writers {
                #expect(comments.isSuperset(of: writer.comments), "\(writer.name)")
                let followed = try await names(
                    station, "/api/v1/users/\(writer.name)/followings", "username", operatorToken)
                #expect(followed == writer.followed, "\(writer.name)")
            }
        }

        private func names(
            _ station: Station, _ path: String, _ field: String, _ token: String
        ) async throws -> Set<String> {
            let reply = try await station.send("GET", "\(path)?limit=100", token)
            let items = try #require(try reply.json["items"] as? [[String: Any]], "\(reply.text)")
            #expect(try reply.json["next"] as? String == nil, "\(path) has one page")
            return Set(items.compactMap { $0[field] as? String })
        }

        private func expectCountersAgree(_ server: AntenaProcess) async throws {
            let path = "\(server.folder.path)/data/catalogue.sqlite"
            let address =
                try TestEngine.current == .sqlite
                ? DatabaseAddress.sqlite(path: path) : TestDatabase.address(inFolder: server.folder.path)
            let database = try await address.open()
            let community = try await Community.open(database, program: "test")
            #expect(try await community.counterDifferences() == [])
            // What the threshold was reached for was hidden once, and nothing else was.
            let items = try await database.read { db in
                try db.rows(
                    """
                    SELECT crossings, (SELECT COUNT(*) FROM itemReport AS r
                        WHERE r.kind = i.kind AND r.subject = i.subject)
                    FROM moderatedItem AS i
                    """
                ) { row in (crossings: try row.value(0) as Int64, reports: try row.value(1) as Int64) }
            }
            #expect(!items.isEmpty)
            #expect(items.allSatisfy { $0.crossings <= 1 && ($0.reports < Self.threshold || $0.crossings == 1) })
            await database.close()
        }
    }
}
