import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Every kind of address of media in every spelling, at the server and at nginx with docs/edge/nginx.conf, which
    /// has copies of what a renter has watched: nobody gets anything that is not theirs.
    @Suite struct EdgeSpellingTests {
        private static let freeFile = "otra pel\u{ED}cula.mp4"

        /// A resource that is not for everyone.
        fileprivate struct Guarded: Sendable {
            /// The folder below which it is found.
            let folder: String
            /// The same with the signature of somebody who may watch it.
            let signed: String
            /// The resource's images, beside the media.
            var images: [String] = []
            /// The account that may watch it.
            var watcher: String?
        }

        /// A title with a price that ana has rented, a title for everyone, and nginx in front of them. A channel, an
        /// encrypted title and a track are for invited people, if the test wants that.
        fileprivate struct Station {
            let server: AntenaProcess
            let edge: EdgeProcess
            let film: AntenaProcess.Entry
            let free: AntenaProcess.Entry
            /// API tokens by username.
            let tokens: [String: String]

            init(withSecrets: Bool = false) async throws {
                server = try AntenaProcess(
                    channelFields: withSecrets ? ["canalB": #""audience": "invited""#] : [:])
                let media = try server.folder.file("media/vod")
                try FileManager.default.createDirectory(atPath: "\(media)/sala 1", withIntermediateDirectories: true)
                let source = try await MovieFixture.noBFrames.path()
                try FileManager.default.copyItem(atPath: source, toPath: "\(media)/film.mp4")
                // Other bytes, so that it is another title.
                let other = try await MovieFixture.bFrames.path()
                try FileManager.default.copyItem(atPath: other, toPath: "\(media)/sala 1/\(EdgeSpellingTests.freeFile)")
                if withSecrets {
                    try server.folder.write("1\n00:00:01,000 --> 00:00:02,000\nuno\n", to: "media/vod/film.es.srt")
                    let chapters = try server.folder.write(
                        ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=2000\ntitle=Uno\n", to: "chapters.txt")
                    try await MediaClients.make(
                        "\(media)/secret.mov",
                        [
                            "-i", try await MovieFixture.quickTime.path(), "-i", chapters, "-map_metadata", "1", "-c",
                            "copy",
                        ])
                    try await MediaClients.make(
                        server.folder.file("media/audio/song.m4a"),
                        [
                            "-f", "lavfi", "-i", "sine=frequency=330:duration=8:sample_rate=44100", "-c:a", "aac",
                            "-metadata", "title=song",
                        ])
                }
                try await server.start()
                film = try await server.ingested("film.mp4")
                free = try await server.ingested("sala 1/\(EdgeSpellingTests.freeFile)")
                edge = try await EdgeProcess(inFrontOf: server)
                var tokens: [String: String] = [:]
                for name in ["ana", "eva"] {
                    let body = #"{"username": "\#(name)", "password": "correct horse battery", "role": "member"}"#
                    let account = try await server.request(
                        "/api/v1/users", method: "POST", headers: ["Content-Type": "application/json"], body: body)
                    try #require(account.status == 201, "\(account.text)")
                    tokens[name] = try await Self.run(server, ["token", "create", name, "player"])
                        .trimmingCharacters(in: .newlines)
                }
                self.tokens = tokens
            }

            @discardableResult static func run(_ server: AntenaProcess, _ arguments: [String]) async throws -> String {
                let result = try await server.command(arguments + ["--server", server.origin])
                try #require(result.status == 0, "\(arguments): \(result.errorOutput)")
                return result.text
            }

            func fields(_ user: String?) -> [String: String] {
                user.flatMap { tokens[$0] }.map { ["Authorization": "Bearer \($0)"] } ?? [:]
            }

            /// Has ana rent the film.
            ///
            /// - Returns: the path of the playlist with her signature.
            func rent() async throws -> String {
                try await Self.run(server, ["terms", "film.mp4", "--price", "5", "--minutes-to-play", "60"])
                try await Self.run(server, ["credits", "add", "ana", "5"])
                let rented = try await server.web.request(
                    "/api/v1/titles/\(film.id)/rentals", method: "POST", headers: fields("ana"))
                let fields = try rented.json["rental"] as? [String: Any]
                let rental = try #require(fields?["id"] as? String, "\(rented.text)")
                let active = try await server.web.request(
                    "/api/v1/rentals/\(rental)/activation", method: "POST", headers: self.fields("ana"))
                return try #require(try active.json["playlist"] as? String, "\(active.text)")
            }

            /// Resources for invited people: a channel that is live, an encrypted title and a track, each with a link.
            ///
            /// - Returns: them, and the program that pushes to the channel.
            func secrets() async throws -> (guarded: [Guarded], publisher: BackgroundProgram) {
                let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server, "canalB"))
                let title = try await server.ingested("secret.mov")
                let track = try await server.ingestedTrack(titled: "song")
                try #require(title.state == "ready" && track.state == "ready")
                try await Self.run(server, ["encrypt", title.id])
                try await Self.run(server, ["audience", title.id, "invited"])
                try await Self.run(server, ["audience", track.id, "invited", "--track"])
                let (channel, vod, radio) = ("/live/canalB.stream", "/vod/\(title.id)", "/radio/\(track.id)")
                let guarded = [
                    Guarded(folder: channel, signed: try await link(to: channel), images: ["\(channel)/cover"]),
                    Guarded(
                        folder: vod, signed: try await link(to: vod),
                        images: ["\(vod)/poster.jpg", "\(vod)/storyboard.vtt", "\(vod)/storyboard-1.jpg"]),
                    Guarded(folder: radio, signed: try await link(to: radio), images: ["\(radio)/cover"]),
                ]
                _ = try await eventually("the channel has segments", within: 40) {
                    try await edge.web.request("\(guarded[0].signed)/video.m3u8").text.contains(".m4s") ? true : nil
                }
                _ = try await eventually("the title is encrypted", within: 10) { () async throws -> Bool? in
                    let entry = try await edge.web.request("\(guarded[1].signed)/playlist.m3u8").text
                    guard let playlist = entry.split(separator: "\n").first(where: { $0.hasSuffix(".m3u8") }) else {
                        return nil
                    }
                    let text = try await edge.web.request("\(guarded[1].signed)/\(playlist)").text
                    return text.contains("AES-128") ? true : nil
                }
                return (guarded, publisher)
            }

            /// The resources of a playlist, at nginx: all playlists, and of each the first resource of each kind.
            func media(below folder: String) async throws -> [String] {
                var paths: [String] = []
                for entry in ["\(folder)/playlist.m3u8", "\(folder)/playlist.m3u8?format=ts"] {
                    paths.append(entry)
                    for playlist in try await references(entry, folder) where playlist.hasSuffix(".m3u8") {
                        paths.append(playlist)
                        var kinds: Set<String> = []
                        for piece in try await references(playlist, folder) {
                            let name = piece.split(separator: "/").last ?? ""
                            if kinds.insert(String(name.replacing(/[0-9]+/, with: "#"))).inserted {
                                paths.append(piece)
                            }
                        }
                    }
                }
                return paths + ["\(folder)/chapters.json", "\(folder)/storyboard.vtt"]
            }

            private func references(_ path: String, _ folder: String) async throws -> [String] {
                let reply = try await edge.web.request(path)
                try #require(reply.status == 200, "\(path): \(reply.text)")
                return reply.text.split(separator: "\n").flatMap { line -> [Substring] in
                    guard line.hasPrefix("#") else { return [line] }
                    return line.split(separator: "URI=\"").dropFirst().compactMap { $0.split(separator: "\"").first }
                }.map { "\(folder)/\($0)" }
            }
        }

        /// Sends many requests, some at a time.
        private static func all<Item: Sendable>(
            _ items: [Item], _ body: @escaping @Sendable (Item) async throws -> Void
        ) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                var rest = items[...]
                for item in rest.prefix(8) { group.addTask { try await body(item) } }
                rest = rest.dropFirst(8)
                while try await group.next() != nil {
                    if let item = rest.popFirst() { group.addTask { try await body(item) } }
                }
            }
        }

        /// A request for something that its sender may not have.
        private struct Attempt: Sendable {
            var target: String
            var user: String?
            var door: HTTPOrigin
        }

        /// Every path in every spelling, at nginx and at Antena, as a stranger and as members who may not have it. Each
        /// way from something free to a path is tried with one of the folders in turn, so that over all paths each is
        /// tried with each.
        ///
        /// - Parameters:
        ///   - guarded: what is not for everyone, with the paths that lead to it.
        ///   - free: what is for everyone, with and without a signature.
        private static func matrix(
            _ guarded: [(Guarded, paths: [String])], from free: (folder: String, link: String), _ station: Station
        ) -> [Attempt] {
            let folders = [free.folder, "/signed/x\(free.folder)", "/live/canalA.stream", free.link]
            let queries = [
                "?format=ts&format=ts", "?Format=ts", "?_HLS_msn=0&_HLS_msn=1", "?ll=0&LL=1", "?jwt=x",
                "?exp=1&id=a&sig=b", "?_hls_skip=YES",
            ]
            var attempts: [Attempt] = []
            for (index, (secret, path)) in guarded.flatMap({ entry in entry.paths.map { (entry.0, $0) } }).enumerated()
            {
                let ways = folders.map { AddressSpellings.crossing(from: $0, to: path) }
                let crossings = ways[0].indices.map { ways[($0 + index) % ways.count][$0] }
                let targets =
                    [path] + AddressSpellings.equal(to: path) + AddressSpellings.odd(path) + crossings
                    + ["/signed/x\(path)", "/signed/exp=99999999999,id=a,sig=b\(path)"]
                    + ["\(free.link.dropLast(free.folder.count))\(path)"] + queries.map { path + $0 }
                let members = ["ana", "eva"].filter { $0 != secret.watcher }
                for (number, target) in targets.enumerated() {
                    attempts.append(Attempt(target: target, user: nil, door: station.edge.web))
                    if number % 2 == 0 {
                        attempts.append(Attempt(target: target, user: nil, door: station.server.web))
                    }
                    if number % 3 == 0 {
                        let member = members[(number / 3 + index) % members.count]
                        attempts.append(Attempt(target: target, user: member, door: station.edge.web))
                    }
                }
            }
            return attempts
        }

        /// A rented film with subtitles and I-frame playlists, a live channel, an encrypted title with its key, and a
        /// track: what those who may watch them have watched lies in the cache.
        @Test func nobodyGetsWhatIsNotTheirsHoweverTheySpellIt() async throws {
            let station = try await Station(withSecrets: true)
            let (edge, server) = (station.edge.web, station.server.web)
            let playlist = try await station.rent()
            let film = Guarded(
                folder: "/vod/\(station.film.id)", signed: String(playlist.dropLast("/playlist.m3u8".count)),
                watcher: "ana")
            let (secrets, publisher) = try await station.secrets()
            _ = try await eventually("there are storyboards", within: 60) { () async throws -> Bool? in
                for secret in [film] + secrets where secret.folder.hasPrefix("/vod/") {
                    guard try await edge.request("\(secret.signed)/storyboard.vtt").status == 200 else { return nil }
                }
                return true
            }
            let token = try String(
                contentsOfFile: station.server.folder.file("data/operator-token"), encoding: .utf8
            ).trimmingCharacters(in: .whitespacesAndNewlines)
            var theirs: Set<[UInt8]> = []
            var kinds: Set<String> = []
            var guarded: [(Guarded, paths: [String])] = []
            for secret in [film] + secrets {
                let signed =
                    try await station.media(below: secret.signed)
                    + (secret.folder.hasPrefix("/radio/") ? ["\(secret.signed)/file"] : [])
                var copies = 0
                for path in signed {
                    let reply = try await edge.request(path)
                    guard reply.status == 200 else { continue }
                    theirs.insert(reply.body)
                    let name = path.prefix { $0 != "?" }.split(separator: "/").last ?? ""
                    kinds.insert(String(name.replacing(/[0-9]+/, with: "#")))
                    if try await edge.request(path).headers["x-cache"] == "HIT" { copies += 1 }
                }
                #expect(copies >= 2, "\(secret.folder)")
                for path in secret.images {
                    let reply = try await edge.request(path, headers: ["Authorization": "Bearer \(token)"])
                    if reply.status == 200 { theirs.insert(reply.body) }
                }
                var paths = Set(signed.map { secret.folder + $0.dropFirst(secret.signed.count).prefix { $0 != "?" } })
                paths.formUnion(secret.images)
                if secret.watcher != nil {
                    paths.formUnion(["/vod/mp4:film.mp4/playlist.m3u8", "/vod/_definst_/mp4:film.mp4/video.m3u8"])
                }
                guarded.append((secret, paths.sorted()))
            }
            for kind in [
                "playlist.m#u#", "video.m#u#", "audio.m#u#", "iframes.m#u#", "subtitles-es.m#u#", "key", "file",
                "init.mp#", "init-#.mp#", "#.m#s", "#.#.m#s", "#.ts", "#.vtt", "chapters.json", "storyboard.vtt",
            ] { #expect(kinds.contains(kind), "\(kinds.sorted())") }
            let free = "/vod/\(station.free.id)"
            let attempts = Self.matrix(guarded, from: (free, try await station.link(to: free)), station)
            let bodies = theirs.filter { $0.count > 8 }
            #expect(bodies.count >= 24 && attempts.count > 4_000, "\(bodies.count), \(attempts.count)")
            try await Self.all(attempts) { attempt in
                let reply = try await attempt.door.request(attempt.target, headers: station.fields(attempt.user))
                #expect(
                    !bodies.contains(reply.body) && !reply.text.contains("#EXTM3U"),
                    "\(attempt.target) as \(attempt.user ?? "a stranger"): \(reply.status)")
            }
            publisher.kill()
            // The renter's own addresses are served in all equal spellings, with one copy, and without a redirection.
            for path in try await station.media(below: film.signed) where !path.contains("?") {
                let reply = try await edge.request(path)
                guard reply.status == 200 else { continue }
                for spelling in AddressSpellings.equal(to: path) {
                    for door in [edge, server] {
                        let other = try await door.request(spelling)
                        #expect(other.status == 200 && other.body == reply.body, "\(spelling)")
                        if door.port == edge.port, path.hasSuffix("s") || path.hasSuffix(".mp4") {
                            #expect(["HIT", "REVALIDATED"].contains(other.headers["x-cache"]), "\(spelling)")
                        }
                    }
                }
            }
        }

        /// The spellings of apps: names of files with spaces and letters, and Wowza's spellings.
        @Test func namesOfFilesAreServedAsAppsSpellThem() async throws {
            let station = try await Station()
            let plain = try await station.server.web.request("/vod/\(station.free.id)/playlist.m3u8")
            for door in [station.edge.web, station.server.web] {
                for path in [
                    "/vod/mp4:sala%201/otra%20pel%C3%ADcula.mp4/playlist.m3u8",
                    "/vod/mp4%3Asala%201/otra%20pel%c3%adcula.mp4/playlist.m3u8",
                    "/vod/mp4%3asala%201/otra%20pel%C3%adcula%2Emp4/playlist.m3u8",
                    "/vod/_definst_/mp4:sala%201/otra%20pel%C3%ADcula.mp4/playlist.m3u8",
                    "/%76%6f%64/_definst_/%6dp4:sala%201/otra%20pel%C3%ADcula.mp4/playlist.m3u8",
                ] {
                    let reply = try await door.request(path)
                    #expect(reply.status == 200 && reply.text == plain.text, "\(path): \(reply.text)")
                }
                for path in [
                    "/vod/mp4:sala%201%2Fotra%20pel%C3%ADcula.mp4/playlist.m3u8",
                    "/vod/mp4:sala%201/otra%20pel%EDcula.mp4/playlist.m3u8",
                    "/vod/mp4:sala%201/./otra%20pel%C3%ADcula.mp4/playlist.m3u8",
                    "/vod/mp4:sala%201/x/../otra%20pel%C3%ADcula.mp4/playlist.m3u8",
                    "/vod/mp4:sala%201%5Cotra%20pel%C3%ADcula.mp4/playlist.m3u8",
                    "/vod/mp4:sala%201/otra%20pel%C3%ADcula.mp4%0a/playlist.m3u8",
                ] {
                    #expect(try await door.request(path).status == 404, "\(path)")
                }
            }
        }

        /// A few requests must not keep low latency or MPEG-TS from all players behind the edge.
        @Test func nobodyPoisonsTheCacheWithParameters() async throws {
            let station = try await Station()
            let playlist = "/vod/\(station.free.id)/playlist.m3u8"
            for query in ["Format=ts", "FORMAT=ts", "form%61t=ts", "format=fmp4&format=ts", "format=ts&format=ts"] {
                for door in [station.edge.web, station.server.web] {
                    #expect(try await door.request("\(playlist)?\(query)").status == 400, "\(query)")
                }
            }
            let stream = try await station.edge.web.request("\(playlist)?format=ts")
            #expect(stream.headers["x-cache"] == "MISS" && stream.text.contains("ts.m3u8"), "\(stream.text)")
            // Made-up parameters and equal spellings lead to the same copy.
            for target in ["\(playlist)?x=1&format=ts&y=2", "/v%6Fd\(playlist.dropFirst(4))?format=ts&ll=0"] {
                let reply = try await station.edge.web.request(target)
                #expect(reply.headers["x-cache"] == "HIT" && reply.body == stream.body, "\(target)")
            }
            #expect(try await station.edge.web.request(playlist).text.contains("video.m3u8"))
        }

        /// A copy that was for everyone yesterday is not given away today.
        @Test(arguments: ["price", "audience"]) func whatGetsAPriceLeavesTheEdge(_ change: String) async throws {
            let station = try await Station()
            let edge = station.edge.web
            let folder = "/vod/\(station.free.id)"
            let media = try await station.media(below: folder)
            for path in media { _ = try await edge.request(path) }
            let pieces = media.filter { path in [".m4s", ".ts", ".mp4"].contains { path.hasSuffix($0) } }
            #expect(pieces.count >= 4)
            for path in pieces {
                let reply = try await edge.request(path)
                #expect(reply.status == 200 && reply.headers["x-cache"] == "HIT", "\(path)")
                #expect(reply.headers["cache-control"]?.contains("s-maxage=50") == true)
            }
            if change == "price" {
                try await Station.run(station.server, ["terms", station.free.id, "--price", "5"])
            } else {
                let changed = try await station.server.request(
                    "/api/v1/titles/\(station.free.id)/audience", method: "PATCH",
                    headers: ["Content-Type": "application/json", "If-Match": "*"], body: #"{"audience": "invited"}"#)
                #expect(changed.status == 200, "\(changed.text)")
            }
            for path in media {
                _ = try await eventually("\(path) is refused", within: 30) {
                    try await [401, 404].contains(edge.request(path).status) ? true : nil
                }
            }
        }
    }
}

extension EndToEnd.EdgeSpellingTests.Station {
    /// The folder of a new link, with its signature.
    func link(to folder: String) async throws -> String {
        let text = try await Self.run(server, ["link", "create", "\(folder)/playlist.m3u8", "--name", "a link"])
            .trimmingCharacters(in: .newlines)
        return String(text.dropFirst(server.origin.count).dropLast("/playlist.m3u8".count))
    }
}
