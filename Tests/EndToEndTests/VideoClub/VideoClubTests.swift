import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Renting a title on a whole server: what costs credits is not reached in any way without a rental.
    @Suite struct VideoClubTests {
        private struct Club {
            let server: AntenaProcess
            let title: AntenaProcess.Entry
            /// API tokens by username.
            let tokens: [String: String]

            init(
                _ settings: String = "{}", paymentSecret: String? = nil, arguments extra: [String] = []
            ) async throws {
                let channels = AntenaProcess.channelsFile()
                    .replacing("\"presets\": {\n", with: "\"videoClub\": \(settings), \"presets\": {\n")
                let folder = try TemporaryDirectory(label: "club")
                let arguments = try paymentSecret.map {
                    ["--payment-secret-file", try folder.write($0, to: "payments.secret")]
                }
                server = try AntenaProcess(
                    extraArguments: (arguments ?? []) + extra, folder: folder, channels: channels)
                try FileManager.default.copyItem(
                    atPath: try await MovieFixture.noBFrames.path(), toPath: server.folder.file("media/vod/film.mp4"))
                try await server.start()
                title = try await server.ingested("film.mp4")
                var tokens: [String: String] = [:]
                for name in ["ana", "eva"] {
                    let body = #"{"username": "\#(name)", "password": "correct horse battery", "role": "member"}"#
                    let account = try await server.request(
                        "/api/v1/users", method: "POST", headers: ["Content-Type": "application/json"], body: body)
                    #expect(account.status == 201, "\(account.text)")
                    tokens[name] = try await Self.run(server, ["token", "create", name, "player"])
                        .trimmingCharacters(in: .newlines)
                }
                self.tokens = tokens
            }

            static func run(_ server: AntenaProcess, _ arguments: [String]) async throws -> String {
                let result = try await server.command(arguments + ["--server", server.origin])
                #expect(result.status == 0, "\(arguments): \(result.errorOutput)")
                return result.text
            }

            @discardableResult func run(_ arguments: String...) async throws -> String {
                try await Self.run(server, arguments)
            }

            func send(
                _ path: String, as user: String?, method: String = "GET", body: String? = nil, key: String? = nil
            ) async throws -> WebReply {
                var headers: [String: String] = [:]
                if let user { headers["Authorization"] = "Bearer \(try #require(tokens[user]))" }
                if body != nil { headers["Content-Type"] = "application/json" }
                if let key { headers["Idempotency-Key"] = key }
                return try await server.web.request(path, method: method, headers: headers, body: body ?? "")
            }

            /// The addresses of all kinds of media of the title, as somebody finds them in its playlists.
            func media() async throws -> [String] {
                let base = "/vod/\(title.id)"
                var paths = [
                    "\(base)/playlist.m3u8", "\(base)/playlist.m3u8?format=ts", "/vod/mp4:film.mp4/playlist.m3u8",
                    "/vod/_definst_/mp4:film.mp4/playlist.m3u8", "\(base)/storyboard.vtt", "\(base)/storyboard-1.jpg",
                    "\(base)/chapters.json", "\(base)/key",
                ]
                for entry in ["\(base)/playlist.m3u8", "\(base)/playlist.m3u8?format=ts"] {
                    for name in try await references(entry) {
                        paths.append(name)
                        if name.contains(".m3u8") { paths += try await references(name) }
                    }
                }
                return paths
            }

            /// The references of a playlist, as an operator gets it.
            private func references(_ path: String) async throws -> [String] {
                let reply = try await server.request(path)
                #expect(reply.status == 200, "\(path)")
                let folder = path.prefix { $0 != "?" }.split(separator: "/").dropLast().joined(separator: "/")
                return reply.text.split(separator: "\n").flatMap { line -> [Substring] in
                    guard line.hasPrefix("#") else { return [line] }
                    return line.split(separator: "URI=\"").dropFirst().compactMap { $0.split(separator: "\"").first }
                }.map { name in
                    var components = folder.split(separator: "/")
                    for component in name.split(separator: "/") {
                        if component == ".." { components.removeLast() } else { components.append(component) }
                    }
                    return "/" + components.joined(separator: "/")
                }
            }

            /// The RTSP status of a description.
            func describe(as user: String?) throws -> Int {
                let account = try user.map { "\($0):\(try #require(tokens[$0]))@" } ?? ""
                let connection = try TCPConnection(port: server.rtspPort)
                let path = "rtsp://127.0.0.1:\(server.rtspPort)/vod/\(title.id)"
                var request = "DESCRIBE \(path) RTSP/1.0\r\nCSeq: 1\r\n"
                if !account.isEmpty {
                    let text = Data(account.dropLast().utf8).base64EncodedString()
                    request += "Authorization: Basic \(text)\r\n"
                }
                try connection.send("\(request)\r\n")
                let reply = try connection.read(until: "\r\n\r\n")
                return Int(reply.split(separator: " ").dropFirst().first ?? "") ?? 0
            }
        }

        @Test func aTitleWithAPriceIsWatchedByRentersOnly() async throws {
            let club = try await Club()
            let (id, media) = (club.title.id, try await club.media())
            #expect(media.count > 12, "\(media)")
            for path in media { #expect(try await club.send(path, as: nil).status != 401, "\(path)") }
            let terms = try await club.run("terms", "film.mp4", "--price", "5", "--minutes-to-play", "60", "--json")
            #expect(terms.contains("\"price\":5"))
            func expect(_ user: String?, _ status: Int, _ what: String) async throws {
                for path in media {
                    #expect(try await club.send(path, as: user).status == status, "\(what): \(path)")
                }
            }
            try await expect(nil, 401, "a stranger")
            try await expect("ana", 402, "never rented")
            #expect(try club.describe(as: nil) == 401)
            #expect(try club.describe(as: "ana") == 402)
            for path in ["/vod/\(id)/poster.jpg", "/api/v1/titles/\(id)", "/api/v1/titles/\(id)/offer", "/videoclub"] {
                #expect(try await club.send(path, as: nil).status == 200, "\(path)")
            }
            // Not enough credits, enough, the same key, a second rental.
            let rentals = "/api/v1/titles/\(id)/rentals"
            let refused = try await club.send(rentals, as: "ana", method: "POST", key: "k1")
            #expect(refused.status == 402 && refused.text.contains("\"missing\":5"), "\(refused.text)")
            #expect(try await club.run("credits", "add", "ana", "7", "--note", "cash") == "ana: 7 credits\n")
            let rented = try await club.send(rentals, as: "ana", method: "POST", key: "k1")
            #expect(rented.status == 201, "\(rented.text)")
            let again = try await club.send(rentals, as: "ana", method: "POST", key: "k1")
            #expect(again.text == rented.text && again.headers["idempotency-replayed"] == "true")
            #expect(try await club.send(rentals, as: "ana", method: "POST").status == 409)
            let rental = try #require((try rented.json["rental"] as? [String: Any])?["id"] as? String)
            try await expect("ana", 403, "not activated")
            let foreign = try await club.send("/api/v1/rentals/\(rental)/activation", as: "eva", method: "POST")
            #expect(foreign.status == 404)
            #expect(try await club.send("/api/v1/rentals/\(rental)", as: "eva").status == 404)
            let active = try await club.send("/api/v1/rentals/\(rental)/activation", as: "ana", method: "POST")
            #expect(active.status == 200, "\(active.text)")
            let playlist = try #require(try active.json["playlist"] as? String)
            #expect(try club.describe(as: "ana") == 200)
            try await expect("eva", 402, "somebody else")
            // Without cookies and headers, the whole film.
            try await MediaClients.decode(club.server.origin + playlist, seconds: 2)
            let redirected = try await club.send("/vod/\(id)/playlist.m3u8", as: "ana")
            #expect(redirected.status == 302)
            let signed = String(playlist.split(separator: "/vod/")[0])
            // The signature is for the folder of the title, not for the other names of its file.
            let watchable = media.filter { path in
                !["/key", ".vtt", ".jpg", ".json"].contains { path.hasSuffix($0) } && !path.contains("mp4:")
            }
            for path in watchable { #expect(try await club.send(signed + path, as: nil).status == 200, "\(path)") }
            // A refund ends it at once, also for everybody who has its address.
            #expect(try await club.run("rental", "refund", rental) == "\(rental): 5 credits given back\n")
            for path in watchable {
                #expect(try await club.send(signed + path, as: nil).status == 410, "refunded: \(path)")
            }
            try await expect("ana", 410, "refunded")
            #expect(try club.describe(as: "ana") == 410)
            #expect(try await club.run("credits", "show", "ana").hasPrefix("ana: 7 credits\n"))
            #expect(try await club.run("credits", "check").hasSuffix(": in order\n"))
            #expect(try await club.run("rental", "list", "ana").contains("refunded"))
            #expect(try await club.run("rental", "show", rental, "--json").contains("\"endReason\":\"refunded\""))
            // An operator never needs one.
            #expect(try await club.server.request("/vod/\(id)/playlist.m3u8").status == 200)
        }

        @Test func theFirstPlaybackActivatesIfTheOperatorWantsThat() async throws {
            let club = try await Club(#"{"activation": "first-playback"}"#)
            try await club.run("terms", club.title.id, "--free-rental")
            let rented = try await club.send("/api/v1/titles/\(club.title.id)/rentals", as: "ana", method: "POST")
            #expect(rented.status == 201, "\(rented.text)")
            #expect(try await club.send("/vod/\(club.title.id)/storyboard.vtt", as: "ana").status == 403)
            #expect(try await club.send("/vod/\(club.title.id)/playlist.m3u8", as: "ana").status == 302)
            let list = try await club.send("/api/v1/me/rentals", as: "ana")
            #expect(list.text.contains("\"state\":\"activated\""), "\(list.text)")
        }

        /// The forms work without a script, and each leads back to the page.
        @Test func aMemberRentsStartsAndVotesOnThePages() async throws {
            let club = try await Club()
            try await club.run("terms", club.title.id, "--price", "5")
            try await club.run("credits", "add", "ana", "7")
            let page = "/videoclub/titulos/\(club.title.id)"
            // Pages are for people who have logged in.
            let session = try await club.server.session("ana")
            func send(_ action: String, _ body: String) async throws -> WebReply {
                let headers = [
                    "Authorization": "Bearer \(session)", "Accept-Language": "en",
                    "Content-Type": "application/x-www-form-urlencoded",
                ]
                return try await club.server.web.request(
                    "\(page)/\(action)", method: "POST", headers: headers, body: body)
            }
            func shown(as user: String?) async throws -> String {
                var headers = ["Accept-Language": "en"]
                if user != nil { headers["Authorization"] = "Bearer \(session)" }
                return try await club.server.web.request(page, headers: headers).text
            }
            #expect(try await shown(as: nil).contains("Log in to rent"))
            let offered = try await shown(as: "ana")
            #expect(offered.contains("Rent now (5 credits)") && offered.contains("disabled>There is no trailer.<"))
            #expect(offered.contains("data-share"))
            // What other sites show of a link to it.
            for field in ["og:title\" content=\"film\"", "og:url\" content=\"\(club.server.origin)\(page)\""] {
                #expect(offered.contains("<meta property=\"\(field)>"), "\(field)")
            }
            let confirmation = try await club.server.web.request(
                "\(page)/alquilar", headers: ["Accept-Language": "en", "Authorization": "Bearer \(session)"])
            #expect(confirmation.text.contains("Your credits afterwards") && confirmation.text.contains("2 credits"))
            #expect(confirmation.text.contains("name=\"key\""))
            #expect(try await club.send("/api/v1/me/rentals", as: "ana").text.contains("\"items\":[]"))
            // Pressing the button twice rents once.
            for _ in 0..<2 { #expect(try await send("alquilar", "key=k").status == 303) }
            let rented = try await shown(as: "ana")
            let rental = try #require(rented.firstMatch(of: /name="rental" value="([^"]+)"/)).1
            #expect(rented.contains("2 credits") && rented.contains("Start watching"))
            #expect(try await send("empezar", "rental=\(rental)").status == 303)
            let running = try await shown(as: "ana")
            #expect(running.contains("You can watch it until") && running.contains("data-countdown"))
            #expect(try await send("votar", "rating=0").status == 422)
            #expect(try await send("votar", "rating=9").status == 303)
            #expect(try await send("votar", "rating=9").status == 409)
            #expect(try await shown(as: nil).contains("9.0 / 10 (1)"))
            for (path, text) in [("/cuenta/alquileres", "running"), ("/cuenta/creditos", "-5")] {
                let reply = try await club.server.web.request(
                    path,
                    headers: ["Authorization": "Bearer \(session)", "Accept-Language": "en"])
                #expect(reply.status == 200 && reply.text.contains(text), "\(path)")
            }
            let refused = try await club.send("/operator/titulos/\(club.title.id)/precio", as: "ana")
            #expect(refused.status == 403)
        }

        /// Renters share one copy of each segment in the cache of nginx, and nobody else gets it.
        @Test func aSharedCacheKeepsOneCopyForRenters() async throws {
            let club = try await Club()
            let edge = try await EdgeProcess(inFrontOf: club.server)
            try await club.run("terms", club.title.id, "--price", "5")
            var folders: [String] = []
            var rental = ""
            for name in ["ana", "eva"] {
                try await club.run("credits", "add", name, "5")
                let rented = try await club.send(
                    "/api/v1/titles/\(club.title.id)/rentals", as: name, method: "POST")
                rental = try #require((try rented.json["rental"] as? [String: Any])?["id"] as? String)
                let active = try await club.send("/api/v1/rentals/\(rental)/activation", as: name, method: "POST")
                let playlist = try #require(try active.json["playlist"] as? String)
                folders.append(String(playlist.dropLast("/playlist.m3u8".count)))
            }
            let media = try await edge.web.request("\(folders[0])/video.m3u8").text
            let segments = media.split(separator: "\n").filter { $0.hasSuffix(".m4s") }
            try #require(segments.count >= 2)
            for segment in segments {
                let first = try await edge.web.request("\(folders[0])/\(segment)")
                let second = try await edge.web.request("\(folders[1])/\(segment)")
                #expect(first.status == 200 && second.status == 200 && first.body == second.body)
                #expect(second.headers["x-cache"] == "HIT")
                #expect(try await edge.web.request("/vod/\(club.title.id)/\(segment)").status == 401)
            }
            try await club.run("rental", "refund", rental)
            for segment in segments {
                #expect(try await edge.web.request("\(folders[1])/\(segment)").status == 410)
                #expect(try await edge.web.request("\(folders[0])/\(segment)").status == 200)
            }
        }

        /// Whatever has become of a rental, nginx with its copies of everything answers as Antena does itself.
        @Test func aSharedCacheRefusesAsTheServerDoes() async throws {
            let club = try await Club()
            let edge = try await EdgeProcess(inFrontOf: club.server)
            let media = try await club.media()
            try await club.run("terms", club.title.id, "--price", "5")
            for name in ["ana", "eva"] { try await club.run("credits", "add", name, "10") }
            func watch(as name: String) async throws -> (rental: String, prefix: String) {
                let rented = try await club.send(
                    "/api/v1/titles/\(club.title.id)/rentals", as: name, method: "POST")
                let rental = try #require((try rented.json["rental"] as? [String: Any])?["id"] as? String)
                try await expect(nil, as: name, 403, "not started")
                let active = try await club.send("/api/v1/rentals/\(rental)/activation", as: name, method: "POST")
                let playlist = try #require(try active.json["playlist"] as? String)
                return (rental, String(playlist.split(separator: "/vod/")[0]))
            }
            /// Asks Antena and the edge, twice, because the second answer may be a copy.
            func expect(_ prefix: String?, as user: String?, _ status: Int?, _ state: String) async throws {
                let headers = try user.map { ["Authorization": "Bearer \(try #require(club.tokens[$0]))"] } ?? [:]
                for path in media where prefix == nil || !path.contains("mp4:") {
                    let address = (prefix ?? "") + path
                    let own = try await club.server.web.request(address, headers: headers)
                    #expect(status.map { $0 == own.status } ?? (own.status >= 400), "\(state): \(path)")
                    for _ in 0..<2 {
                        let copy = try await edge.web.request(address, headers: headers)
                        #expect(copy.status == own.status, "\(state): \(address)")
                        #expect(copy.headers["content-type"] == own.headers["content-type"], "\(state): \(address)")
                    }
                }
            }
            try await expect(nil, as: nil, 401, "a stranger")
            try await expect(nil, as: "ana", 402, "never rented")
            let (ana, eva) = (try await watch(as: "ana"), try await watch(as: "eva"))
            let isWatchable = { (path: String) in
                !["/key", ".vtt", ".jpg", ".json"].contains { path.hasSuffix($0) } && !path.contains("mp4:")
            }
            for path in media.filter(isWatchable) {
                for _ in 0..<2 { #expect(try await edge.web.request(ana.prefix + path).status == 200, "\(path)") }
            }
            try await expect(nil, as: nil, 401, "a stranger, with copies")
            try await expect("/signed/made-up", as: nil, nil, "a made-up signature")
            try await club.run("rental", "refund", ana.rental)
            try await expect(ana.prefix, as: nil, 410, "refunded")
            try await expect(nil, as: "ana", 410, "refunded")
            for path in media.filter(isWatchable) {
                #expect(try await edge.web.request(eva.prefix + path).status == 200, "\(path)")
            }
            /// Within a second; a deletion is a change that the server learns of from the database.
            func ended(_ prefix: String) async throws {
                _ = try await eventually("what was watched has ended") {
                    try await club.server.web.request(prefix + media[0]).status >= 400 ? true : nil
                }
            }
            try await club.run("user", "remove", "eva")
            try await ended(eva.prefix)
            try await expect(eva.prefix, as: nil, nil, "the account is deleted")
            // The shortest time that there is: a minute.
            try await club.run("terms", club.title.id, "--minutes-to-play", "1")
            let short = try await watch(as: "ana")
            for path in media.filter(isWatchable) {
                #expect(try await edge.web.request(short.prefix + path).status == 200, "\(path)")
            }
            // An address, whose time is in whole seconds, ends up to one before the rental.
            _ = try await eventually("the minute is over", within: 100) {
                try await club.send(media[0], as: "ana").status == 410 ? true : nil
            }
            try await expect(short.prefix, as: nil, 410, "expired")
            try await expect(nil, as: "ana", 410, "expired")
            try await club.run("terms", club.title.id, "--minutes-to-play", "60")
            let again = try await watch(as: "ana")
            #expect(try await edge.web.request(again.prefix + media[0]).status == 200)
            let deleted = try await club.server.request("/api/v1/titles/\(club.title.id)", method: "DELETE")
            #expect(deleted.status == 204, "\(deleted.text)")
            try await ended(again.prefix)
            try await expect(again.prefix, as: nil, nil, "the title is deleted")
        }

        /// One signed playlist that is copied to many devices, at Antena, at nginx, by RTSP, and on the page.
        @Test func furtherDevicesOfARentalWait() async throws {
            let club = try await Club(#"{"playersPerRental": 2}"#, arguments: ["--trusted-proxy", "127.0.0.1"])
            let edge = try await EdgeProcess(inFrontOf: club.server)
            let media = try await club.media().filter { !$0.contains("mp4:") }
            try await club.run("terms", club.title.id, "--price", "5")
            try await club.run("credits", "add", "ana", "5")
            let rented = try await club.send("/api/v1/titles/\(club.title.id)/rentals", as: "ana", method: "POST")
            let rental = try #require((try rented.json["rental"] as? [String: Any])?["id"] as? String)
            let active = try await club.send("/api/v1/rentals/\(rental)/activation", as: "ana", method: "POST")
            let playlist = try #require(try active.json["playlist"] as? String)
            let prefix = String(playlist.split(separator: "/vod/")[0])
            func watch(_ origin: HTTPOrigin, _ path: String, _ client: String, _ name: String) async throws -> WebReply
            {
                try await origin.request(path, headers: ["X-Forwarded-For": client, "User-Agent": name])
            }
            #expect(try await watch(club.server.web, playlist, "192.0.2.1", "tv").status == 200)
            // Clients of nginx have one address here; Antena sees theirs, and not the one that they claim.
            #expect(try await watch(edge.web, playlist, "192.0.2.9", "telephone").status == 200)
            for path in media {
                // What is beside the film comes to the address at which it plays.
                let isBeside = [".vtt", ".json", ".jpg"].contains { path.hasSuffix($0) }
                let kept = try await watch(edge.web, prefix + path, "192.0.2.9", "telephone")
                #expect(kept.status != 403, "\(path)")
                for (origin, name) in [(club.server.web, "tv"), (edge.web, "tablet")] {
                    let refused = try await watch(origin, prefix + path, "192.0.2.2", name)
                    guard name == "tv" || !isBeside else { continue }
                    #expect(refused.status == 403 && refused.text.contains("too-many-players"), "\(path) \(name)")
                }
                let asked = try await club.server.web.request(
                    "/api/v1/authorize",
                    headers: ["X-Original-URI": prefix + path, "X-Forwarded-For": "192.0.2.3", "User-Agent": "tv"])
                // Images are not asked about there.
                #expect(asked.status == (path.contains("/storyboard") ? 404 : 403), "\(path)")
                let unsigned = try await club.send(path, as: "ana")
                #expect(unsigned.text.contains("too-many-players") || isBeside, "\(path)")
            }
            #expect(try club.describe(as: "ana") == 403)
            let session = try await club.server.session("ana")
            for (language, words) in [("es", "Se está viendo en 2 aparatos a la vez"), ("en", "on 2 devices at once")] {
                for page in ["/videoclub/titulos/\(club.title.id)", "/videoclub?title=\(club.title.id)"] {
                    let shown = try await club.server.web.request(
                        page, headers: ["Authorization": "Bearer \(session)", "Accept-Language": language])
                    #expect(shown.status == 200 && shown.text.contains(words), "\(page)")
                }
            }
            let offer = try await club.send("/api/v1/titles/\(club.title.id)/offer", as: "ana")
            #expect(offer.text.contains("\"playersPerRental\":2,\"players\":2"), "\(offer.text)")
        }

        /// Messages are signed by the library from PyPI, as a provider's program would.
        @Test func aPaymentProviderGivesCreditsOnce() async throws {
            let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAAAA"
            let club = try await Club(paymentSecret: secret)
            let program = """
                import json, sys
                from datetime import datetime, timedelta, timezone
                from standardwebhooks import Webhook
                secret, id, age, body = sys.argv[1:]
                time = datetime.now(timezone.utc) - timedelta(seconds=int(age))
                print(int(time.timestamp()))
                print(Webhook(secret).sign(id, time, body))
                """
            func pay(_ body: String, id: String, age: Int = 0, secret signingSecret: String? = nil) async throws -> Int
            {
                let lines = try await ExternalTool(path: "\(Repository.path)/.build/oidc-provider/bin/python")
                    .run(["-c", program, signingSecret ?? secret, id, "\(age)", body]).lines
                let headers = [
                    "webhook-id": id, "webhook-timestamp": String(try #require(lines.first)),
                    "webhook-signature": String(try #require(lines.dropFirst().first)),
                    "Content-Type": "application/json",
                ]
                return try await club.server.web.request(
                    "/api/v1/payments", method: "POST", headers: headers, body: body
                ).status
            }
            func message(_ type: String) -> String {
                #"{"type": "payment.\#(type)", "data": {"user": "ana", "credits": 20, "reference": "pi_1"}}"#
            }
            #expect(try await pay(message("refunded"), id: "m0") == 409)
            for id in ["m1", "m1", "m2"] { #expect(try await pay(message("completed"), id: id) == 200) }
            #expect(try await club.run("credits", "show", "ana").hasPrefix("ana: 20 credits\n"))
            #expect(try await pay(message("completed"), id: "m3", age: 600) == 401)
            #expect(
                try await pay(message("completed"), id: "m4", secret: "whsec_\(String(repeating: "A", count: 32))")
                    == 401)
            #expect(try await club.server.web.request("/api/v1/payments", method: "POST", body: "{}").status == 401)
            for id in ["m5", "m6"] { #expect(try await pay(message("refunded"), id: id) == 200) }
            #expect(try await pay(message("completed"), id: "m7") == 200)
            #expect(try await club.run("credits", "show", "ana").hasPrefix("ana: 0 credits\n"))
        }

        @Test func creditsGivenByMistakeAreTakenBack() async throws {
            let club = try await Club()
            let movement = try await club.run("credits", "add", "ana", "20", "--reason", "gift", "--key", "a", "--json")
            #expect(
                try await club.run("credits", "add", "ana", "20", "--reason", "gift", "--key", "a", "--json")
                    == movement)
            let id = try #require(movement.split(separator: "\"").dropFirst(3).first.map(String.init))
            #expect(try await club.run("credits", "reverse", id) == "\(id): taken back, 0 credits are left\n")
            let history = try await club.send("/api/v1/me/credits", as: "ana")
            #expect(try history.json["balance"] as? Int == 0)
            #expect(try await club.send("/api/v1/users/ana/credits", as: "ana").status == 403)
            let vote = "/api/v1/titles/\(club.title.id)/vote"
            #expect(try await club.send(vote, as: "ana", method: "PUT", body: #"{"rating": 11}"#).status == 422)
            #expect(try await club.send(vote, as: "ana", method: "PUT", body: #"{"rating": 8}"#).status == 200)
            #expect(try await club.send(vote, as: "ana", method: "PUT", body: #"{"rating": 9}"#).status == 409)
            let offer = try await club.send("/api/v1/titles/\(club.title.id)/offer", as: "ana")
            #expect(offer.text.contains(#""votes":{"count":1,"average":8"#), "\(offer.text)")
        }
    }
}
