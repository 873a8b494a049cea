import Crypto
import Foundation
import Glibc
import TestSupport
import Testing

extension EndToEnd {
    /// Offline copies of rented titles, with the real server, the real commands, aria2 and ffmpeg.
    @Suite struct OfflineCopyTests {
        /// The size of the film in megabytes: small in each run, 200 to measure.
        private static let megabyteCount =
            ProcessInfo.processInfo.environment["ANTENA_OFFLINE_MEGABYTES"].flatMap { Int($0) } ?? 12
        /// How often a connection is cut: 50 to measure.
        private static let cutCount =
            ProcessInfo.processInfo.environment["ANTENA_OFFLINE_CUTS"].flatMap { Int($0) } ?? 10

        /// A server with a film that Ana has rented, and a device of hers.
        private struct Club {
            let server: AntenaProcess
            let title: AntenaProcess.Entry
            let rental: String
            /// An API token of each member.
            let tokens: [String: String]

            init(megabytes: Int? = nil) async throws {
                // As behind a proxy on this machine.
                server = try AntenaProcess(extraArguments: ["--trusted-proxy", "127.0.0.1"])
                let film = try server.folder.file("media/vod/film.mp4")
                if let megabytes {
                    // Noise that nothing compresses, at 8 Mbit/s.
                    let seconds = max(2, megabytes)
                    _ = try await ExternalTool("ffmpeg").run(
                        [
                            "-v", "error", "-f", "lavfi", "-i",
                            "testsrc2=size=640x360:rate=25:duration=\(seconds),noise=alls=60:allf=t",
                            "-f", "lavfi", "-i", "sine=frequency=440:duration=\(seconds)", "-c:v", "libx264", "-preset",
                            "ultrafast", "-b:v", "8M", "-minrate", "8M", "-maxrate", "8M", "-bufsize", "8M", "-g", "50",
                            "-pix_fmt", "yuv420p", "-c:a", "aac", "-movflags", "faststart", film,
                        ], deadline: 300)
                } else {
                    try FileManager.default.copyItem(atPath: try await MovieFixture.noBFrames.path(), toPath: film)
                }
                try await server.start()
                title = try await server.ingested("film.mp4")
                var tokens: [String: String] = [:]
                for name in ["ana", "eva"] {
                    let body = #"{"username": "\#(name)", "password": "correct horse battery", "role": "member"}"#
                    let account = try await server.request(
                        "/api/v1/users", method: "POST", headers: ["Content-Type": "application/json"], body: body)
                    #expect(account.status == 201, "\(account.text)")
                    let token = try await server.command(
                        ["token", "create", name, "player", "--server", server.origin])
                    tokens[name] = token.text.trimmingCharacters(in: .newlines)
                }
                self.tokens = tokens
                for arguments in [["terms", "film.mp4", "--price", "5"], ["credits", "add", "ana", "9"]] {
                    let result = try await server.command(arguments + ["--server", server.origin])
                    #expect(result.status == 0, "\(result.errorOutput)")
                }
                let rented = try await server.web.request(
                    "/api/v1/titles/\(title.id)/rentals", method: "POST",
                    headers: ["Authorization": "Bearer \(try #require(tokens["ana"]))"])
                let outcome = try rented.json["rental"] as? [String: Any]
                rental = try #require(outcome?["id"] as? String)
                let added = try await run(
                    ["device", "add", "laptop", "--server", server.origin],
                    environment: ["ANTENA_MEMBER_TOKEN=\(try #require(tokens["ana"]))"])
                #expect(added.contains("registered"))
            }

            /// Runs a command with the folder of the device.
            @discardableResult
            func run(_ arguments: [String], environment: [String] = [], status: Int32 = 0) async throws -> String {
                let result = try await ExternalTool("env").run(
                    environment + ["XDG_DATA_HOME=\(server.folder.path)/xdg", AntenaProcess.executable] + arguments,
                    deadline: 120, requiringSuccess: false)
                #expect(result.status == status, "\(arguments): \(result.errorOutput.suffix(600))")
                return result.text + result.errorOutput
            }

            func send(_ path: String, as user: String = "ana", method: String = "GET") async throws -> WebReply {
                try await server.web.request(
                    path, method: method, headers: ["Authorization": "Bearer \(try #require(tokens[user]))"])
            }

            /// The manifest of the copy, once it is prepared.
            func manifest() async throws -> [String: Any] {
                try await eventually("the copy is prepared") {
                    let reply = try await send("/api/v1/rentals/\(rental)/download?rendition=video")
                    return reply.status == 200 ? try reply.json : nil
                }
            }

            var copyPath: String {
                get throws {
                    let copies = "\(server.folder.path)/xdg/antena/offline/copies"
                    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: copies).first)
                    return "\(copies)/\(name)"
                }
            }

            func digest() throws -> String {
                let data = try Data(contentsOf: URL(filePath: "\(try copyPath)/copy.bin"), options: .alwaysMapped)
                return SHA256.hash(data: data).map { String(format: "%02x", $0) }.joined()
            }
        }

        @Test func aria2DownloadsByMetalinkAndVerifies() async throws {
            let club = try await Club()
            let offer = try await club.send("/api/v1/rentals/\(club.rental)/download")
            let renditions = try #require(try offer.json["renditions"] as? [[String: Any]])
            let manifest = try await club.manifest()
            // The size that was shown before is exact.
            #expect(renditions.first?["byteCount"] as? Int == manifest["byteCount"] as? Int)
            let (metalink, url) = (
                try #require(manifest["metalink"] as? String), try #require(manifest["url"] as? String)
            )
            try await checkAddresses(club, metalink)
            let folder = try TemporaryDirectory(label: "aria2")
            let result = try await ExternalTool("aria2c").run(
                [
                    "--dir=\(folder.path)", "--check-integrity=true", "--split=4", "--min-split-size=1M",
                    "--max-connection-per-server=4", "--follow-metalink=mem", "--summary-interval=0",
                    "\(club.server.origin)\(metalink)",
                ], deadline: 60, requiringSuccess: false)
            #expect(result.status == 0, "\(result.text.suffix(1_000))\(result.errorOutput)")
            let file = "\(folder.path)/\(club.title.id)-video.antenacopy"
            let data = try Data(contentsOf: URL(filePath: file))
            #expect(data.count == manifest["byteCount"] as? Int)
            let digest = SHA256.hash(data: data)
            #expect(digest.map { String(format: "%02x", $0) }.joined() == manifest["sha256"] as? String)
            // A byte that was flipped is found, and its piece fetched again.
            var broken = data
            broken[broken.count / 2] ^= 1
            try broken.write(to: URL(filePath: file))
            _ = try await ExternalTool("aria2c").run(
                [
                    "--dir=\(folder.path)", "--check-integrity=true", "--allow-overwrite=true", "--follow-metalink=mem",
                    "\(club.server.origin)\(metalink)",
                ], deadline: 60, requiringSuccess: false)
            #expect(try Data(contentsOf: URL(filePath: file)) == data)
            try await checkRanges(club, url, manifest, data)
        }

        /// The addresses in a Metalink are those at which the client has found it.
        private func checkAddresses(_ club: Club, _ metalink: String) async throws {
            let web = club.server.web
            let plain = try await web.request(metalink)
            #expect(plain.text.contains("http://127.0.0.1:\(club.server.httpPort)/"), "\(plain.text)")
            #expect(plain.headers["cache-control"] == "no-store")
            let secure = try await web.request(metalink, headers: ["X-Forwarded-Proto": "https"])
            #expect(secure.text.contains("https://127.0.0.1:\(club.server.httpPort)/"), "\(secure.text)")
            #expect(!secure.text.contains("http://127"))
        }

        private func checkRanges(
            _ club: Club, _ url: String, _ manifest: [String: Any], _ data: Data
        ) async throws {
            let etag = try #require(manifest["etag"] as? String)
            let web = club.server.web
            let part = try await web.request(url, headers: ["Range": "bytes=5-1000", "If-Range": etag])
            #expect(part.status == 206 && part.body == Array(data[5...1_000]))
            #expect(part.headers["etag"] == etag && part.headers["content-range"] == "bytes 5-1000/\(data.count)")
            let digest = "sha-256=:\(Data(SHA256.hash(data: data)).base64EncodedString()):"
            #expect(part.headers["repr-digest"] == digest && part.headers["content-digest"] == nil)
            let last = (data.count - 1) / (1 << 20) * (1 << 20)
            let chunk = try await web.request(url, headers: ["Range": "bytes=\(last)-"])
            let chunkDigest = Data(SHA256.hash(data: data[last...])).base64EncodedString()
            #expect(chunk.headers["content-digest"] == "sha-256=:\(chunkDigest):")
            #expect(try await web.request(url, headers: ["Range": "bytes=5-9", "If-Range": "\"other\""]).status == 200)
            #expect(try await web.request(url, headers: ["Range": "bytes=\(data.count)-"]).status == 416)
            #expect(try await web.request(url, headers: ["If-None-Match": etag]).status == 304)
            let wrong = url.replacing("sig=", with: "sig=x")
            #expect(try await web.request(wrong).status == 403)
            // Never rented, not activated, refunded.
            let path = "/api/v1/rentals/\(club.rental)"
            #expect(try await club.send("\(path)/download", as: "eva").status == 402)
            #expect(try await web.request("\(path)/download").status == 401)
            #expect(try await club.send("\(path)/copies/video/key").status == 403)
            let refund = try await club.server.command([
                "rental", "refund", club.rental, "--server", club.server.origin,
            ])
            #expect(refund.status == 0)
            #expect(try await web.request(url).status == 410)
            #expect(try await club.send("\(path)/download").status == 410)
            // A device's requests count as its owner's.
            let file = "\(club.server.folder.path)/xdg/antena/offline/device.json"
            let device =
                try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: file))) as? [String: String]
            let headers = ["Authorization": "Bearer \(try #require(device?["secret"]))"]
            var statuses: Set<Int> = []
            for _ in 0..<60 { statuses.insert(try await web.request("\(path)/download", headers: headers).status) }
            #expect(statuses == [410, 429])
            #expect(try await web.request("/api/v1/me", headers: headers).status == 401)
        }

        @Test func aDeviceDownloadsPlaysAndForgets() async throws {
            let club = try await Club()
            let offer = try await club.run(["download", "offer", club.rental])
            #expect(offer.contains("video") && offer.contains("kB"), "\(offer)")
            #expect(try await club.run(["download", club.rental]).contains("downloaded"))
            #expect(try await club.run(["download", "list"]).contains("downloaded"))
            let state = try await club.send("/api/v1/rentals/\(club.rental)/download").text
            #expect(state.contains(#""state":"downloaded""#), "\(state)")
            try await checkWhatIsSaid(club)
            try await checkRemoval(club)
            // Not before the rental's time has begun.
            let early = try await club.run(["download", "play", club.rental, "--player", "true"], status: 1)
            #expect(early.contains("is not activated"), "\(early)")
            #expect(try await club.send("/api/v1/rentals/\(club.rental)/activation", method: "POST").status == 200)
            let probe = try script(
                of: club, "probe.sh", "exec ffprobe -v error -show_entries format=duration -of csv=p=0 \"$1\"")
            let played = try await club.run(["download", "play", club.rental, "--player", probe])
            #expect(played.contains("13."), "\(played)")
            // Without the server, also all frames of it.
            club.server.signal(SIGKILL)
            _ = try await club.server.waitForExit(within: 20)
            let decode = try script(of: club, "decode.sh", "exec ffmpeg -v error -xerror -i \"$1\" -f null -")
            let offline = try await club.run(["download", "play", club.rental, "--player", decode])
            #expect(offline.split(separator: "\n").count == 1, "\(offline)")
            #expect(try await club.run(["download", "delete", club.rental]).contains("deleted"))
            #expect(try await club.run(["download", "list"]) == "no copies\n")
        }

        @Test func severalRentalsAreDownloadedByOneCommand() async throws {
            let club = try await Club()
            var rentals = [club.rental]
            let film = try await MovieFixture.noBFrames.path()
            for name in ["second.mp4", "third.mp4", "fourth.mp4"] {
                try FileManager.default.copyItem(atPath: film, toPath: try club.server.folder.file("media/vod/\(name)"))
                let title = try await club.server.ingested(name)
                let terms = try await club.server.command(
                    ["terms", name, "--price", "1", "--server", club.server.origin])
                #expect(terms.status == 0, "\(terms.errorOutput)")
                let rented = try await club.send("/api/v1/titles/\(title.id)/rentals", method: "POST")
                rentals.append(try #require((try rented.json["rental"] as? [String: Any])?["id"] as? String))
            }
            try await club.run(["download"] + rentals)
            let list = try await club.run(["download", "list"])
            #expect(list.components(separatedBy: "downloaded").count == 5, "\(list)")
        }

        /// API, command line and site say what the device has, and the poster is on it.
        private func checkWhatIsSaid(_ club: Club) async throws {
            for path in ["/api/v1/me/rentals", "/api/v1/rentals/\(club.rental)"] {
                let text = try await club.send(path).text
                #expect(text.contains(#""offline":{"state":"downloaded","devices":[{"id":""#), "\(text)")
                #expect(text.contains(#""name":"laptop","rendition":"video","state":"downloaded""#), "\(text)")
            }
            for arguments in [["list", "ana"], ["show", club.rental]] {
                let table = try await club.server.command(["rental"] + arguments + ["--server", club.server.origin])
                #expect(table.text.contains("laptop: downloaded"), "\(table.text)")
            }
            let token = try await club.server.session("ana")
            for (language, said, renditions) in [
                ("en", "laptop (video, downloaded)", "Renditions: video (160 × 90, "),
                ("es", "laptop (video, descargada)", "Versiones: video (160 × 90, "),
            ] {
                let page = try await club.server.web.request(
                    "/cuenta/alquileres", headers: ["Authorization": "Bearer \(token)", "Accept-Language": language])
                #expect(page.text.contains(said) && page.text.contains(renditions), "\(page.text)")
                #expect(page.text.contains("antena download \(club.rental)"))
            }
            let poster = try Data(contentsOf: URL(filePath: "\(try club.copyPath)/poster.jpg"))
            #expect(try await club.server.web.request("/vod/\(club.title.id)/poster.jpg").body == Array(poster))
        }

        /// A device that is removed can do nothing any more.
        private func checkRemoval(_ club: Club) async throws {
            let token = try #require(club.tokens["ana"])
            let key = Data(Curve25519.KeyAgreement.PrivateKey().publicKey.rawRepresentation).base64EncodedString()
            let phone = try await club.server.web.request(
                "/api/v1/me/devices", method: "POST",
                headers: ["Authorization": "Bearer \(token)", "Content-Type": "application/json"],
                body: #"{"name": "phone", "publicKey": "\#(key)"}"#)
            #expect(phone.status == 201, "\(phone.text)")
            let headers = ["Authorization": "Bearer \(try #require(try phone.json["secret"] as? String))"]
            let path = "/api/v1/rentals/\(club.rental)/download"
            #expect(try await club.server.web.request(path, headers: headers).status == 200)
            let options = ["--server", club.server.origin]
            let environment = ["ANTENA_MEMBER_TOKEN=\(token)"]
            let list = try await club.run(["device", "list"] + options, environment: environment)
            #expect(list.contains("phone") && list.contains("laptop"), "\(list)")
            let id = try #require(try phone.json["id"] as? String)
            #expect(
                try await club.run(["device", "remove", id] + options, environment: environment) == "\(id): removed\n")
            #expect(try await club.server.web.request(path, headers: headers).status == 401)
        }

        /// A script that plays an address.
        private func script(of club: Club, _ name: String, _ line: String) throws -> String {
            let path = try club.server.folder.file(name)
            try "#!/bin/sh\n\(line)\n".write(toFile: path, atomically: true, encoding: .utf8)
            chmod(path, 0o755)
            return path
        }

        /// Connections are cut by a proxy, client and server are killed; the size is ``megabyteCount``.
        @Test(.timeLimit(.minutes(20))) func interruptionsCostAtMostAChunkEach() async throws {
            let club = try await Club(megabytes: Self.megabyteCount)
            let manifest = try await club.manifest()
            let byteCount = try #require(manifest["byteCount"] as? Int)
            let port = club.server.httpPort
            let counts = try club.server.folder.file("counts")
            let proxy = try BackgroundProgram.script(
                "cutting-proxy.py", ["\(port)", "\(Self.cutCount)", "\(byteCount / (Self.cutCount + 4))", counts])
            let proxyPort = try await proxy.port()
            try await redirect(club, to: "http://127.0.0.1:\(proxyPort)")
            let clock = ContinuousClock()
            let start = clock.now
            var killCount = 0
            for attempt in 1...3 {
                let process = Process()
                process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                process.arguments = [
                    "XDG_DATA_HOME=\(club.server.folder.path)/xdg", AntenaProcess.executable, "download", club.rental,
                    "--rendition", "video", "--connections", "4",
                ]
                process.standardError = FileHandle.nullDevice
                process.standardOutput = FileHandle.nullDevice
                try process.run()
                let isKilled = try await eventually("it gets further", within: 300) {
                    if !process.isRunning { return false }
                    let good = try await goodByteCount(club)
                    return good >= byteCount / 5 * attempt ? true : nil
                }
                if isKilled {
                    Glibc.kill(process.processIdentifier, SIGKILL)
                    killCount += 1
                }
                process.waitUntilExit()
                if attempt == 2 {
                    club.server.signal(SIGKILL)
                    _ = try await club.server.waitForExit(within: 20)
                    try await club.server.start(http: port)
                }
            }
            try await club.run(["download", "resume", "--connections", "4"])
            #expect(try club.digest() == manifest["sha256"] as? String)
            let line = try String(contentsOfFile: counts, encoding: .utf8).split(separator: " ").compactMap { Int($0) }
            let (cuts, transferred) = (try #require(line.first), try #require(line.last))
            #expect(cuts == Self.cutCount, "\(cuts)")
            // A killed client loses what each of its four connections had of a chunk.
            let extra = transferred - byteCount
            #expect(extra <= (cuts + 4 * (killCount + 1)) << 20, "\(extra)")
            print(
                "offline copy: \(byteCount) bytes, \(cuts) cuts, \(killCount) kills, \(extra) bytes again, \(clock.now - start)"
            )
            // One flipped byte costs a chunk.
            let path = "\(try club.copyPath)/copy.bin"
            let file = try FileHandle(forUpdating: URL(filePath: path))
            try file.seek(toOffset: UInt64(byteCount / 2))
            let old = try #require(try file.read(upToCount: 1))
            try file.seek(toOffset: UInt64(byteCount / 2))
            try file.write(contentsOf: Data(old.map { $0 ^ 1 }))
            try file.close()
            #expect(try await club.send("/api/v1/rentals/\(club.rental)/activation", method: "POST").status == 200)
            let decode = try script(of: club, "decode.sh", "exec ffmpeg -v error -i \"$1\" -f null -")
            let played = try await club.run(["download", "play", club.rental, "--player", decode])
            #expect(played.contains("is damaged in chunk \((byteCount / 2) >> 20)"), "\(played.suffix(500))")
            try await club.run(["download", "resume"])
            #expect(try club.digest() == manifest["sha256"] as? String)
            let after = try String(contentsOfFile: counts, encoding: .utf8).split(separator: " ").compactMap { Int($0) }
            #expect(try #require(after.last) - transferred <= 1 << 20)
            withExtendedLifetime(proxy) {}
        }

        private func goodByteCount(_ club: Club) async throws -> Int {
            let text = try await club.run(["download", "list", "--json"])
            let list = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
            return list?.first?["goodByteCount"] as? Int ?? 0
        }

        /// Lets the device speak to the server through a proxy.
        private func redirect(_ club: Club, to address: String) async throws {
            let path = "\(club.server.folder.path)/xdg/antena/offline/device.json"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            try text.replacing(club.server.origin, with: address).write(toFile: path, atomically: true, encoding: .utf8)
        }
    }
}
