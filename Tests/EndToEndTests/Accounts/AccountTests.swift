import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Accounts with real clients: the command line, publishers, players.
    @Suite struct AccountTests {
        /// Makes an account with the command line.
        static func add(_ name: String, _ role: String, _ server: AntenaProcess) async throws {
            let command = """
                echo 'correct horse battery' | ANTENA_DATA='\(server.folder.path)/data' '\(AntenaProcess.executable)' \
                user add \(name) --role \(role) --server \(server.origin)
                """
            let result = try await ExternalTool("sh").run(["-c", command])
            #expect(result.text == "\(name): \(role), active\n")
        }

        /// Makes a token with the command line, and returns its secret.
        static func token(_ arguments: [String], _ server: AntenaProcess) async throws -> String {
            let result = try await server.command(["token", "create"] + arguments + ["--server", server.origin])
            #expect(result.status == 0, "\(result.errorOutput)")
            return result.text.trimmingCharacters(in: .newlines)
        }

        private static func basic(_ name: String, _ password: String) -> [String: String] {
            ["Authorization": "Basic \(Data("\(name):\(password)".utf8).base64EncodedString())"]
        }

        /// A channel for members: who pushes, who watches, who hears of it, and what is left in the log.
        @Test func aChannelForMembersIsPushedAndWatchedByMembers() async throws {
            let server = try AntenaProcess(
                channelFields: ["canalA": #""audience": "members", "publish": "accounts""#])
            try await server.start()
            for (name, role) in [("ana", "broadcaster"), ("bea", "viewer")] { try await Self.add(name, role, server) }
            let password = try await Self.token(["ana", "obs", "--app-password"], server)
            let elsewhere = try await Self.token(
                ["ana", "b", "--permission", "publish", "--channel", "canalB"], server)
            let viewers = try await Self.token(["bea", "tv", "--app-password", "--permission", "read"], server)
            let host = "127.0.0.1:\(server.rtspPort)/live/canalA.stream"
            for url in [
                "rtsp://\(host)", "rtsp://ana:correct@\(host)", "rtsp://bea:\(viewers)@\(host)",
                "rtsp://\(host)?token=\(elsewhere)",
            ] {
                let refused = try BackgroundProgram.publisher(to: url)
                #expect(try await refused.waitForExit(within: 20) != 0)
                #expect(refused.errorOutput.contains("401"), "\(refused.errorOutput)")
            }
            let publisher = try BackgroundProgram.publisher(to: "rtsp://ana:\(password)@\(host)")
            _ = try await eventually("canalA is live; the log: \(server.log)", within: 30) {
                try await server.channelState("canalA") == "live" ? true : nil
            }
            let playlist = "/live/canalA.stream/playlist.m3u8"
            let stranger = try await server.web.request(playlist)
            #expect(stranger.status == 401 && stranger.headers["www-authenticate"] == "Basic realm=\"Antena\"")
            let page = try await server.web.request(playlist, headers: ["Sec-Fetch-Site": "same-origin"])
            #expect(page.status == 401 && page.headers["www-authenticate"] == "Bearer")
            let wrong = try await server.web.request(playlist, headers: Self.basic("bea", password))
            #expect(wrong.status == 401)
            let member = try await server.web.request(playlist, headers: Self.basic("bea", viewers))
            #expect(member.status == 200 && member.headers["cache-control"]?.hasPrefix("private") == true)
            let address = server.origin.replacing("http://", with: "http://bea:\(viewers)@") + playlist
            try await MediaClients.decode(address, seconds: 3)
            // By RTSP, too.
            for (url, isRight) in [
                ("rtsp://\(host)", false), ("rtsp://bea:\(password)@\(host)", false),
                ("rtsp://bea:\(viewers)@\(host)", true),
            ] {
                let reader = try await ExternalTool.ffmpeg().run(
                    [
                        "-v", "error", "-nostdin", "-rtsp_transport", "tcp", "-i", url, "-frames:v", "10", "-f", "null",
                        "-",
                    ], deadline: 60, requiringSuccess: false)
                #expect((reader.status == 0) == isRight, "\(url): \(reader.errorOutput)")
                #expect(reader.errorOutput.contains("401") == !isRight, "\(reader.errorOutput)")
            }
            let names = try await server.web.request("/api/v1/channels").json["items"] as? [[String: Any]] ?? []
            #expect(names.count == 3 && !names.contains { $0["name"] as? String == "canalA" })
            #expect(try await server.web.request("/directo").text.contains("canalA") == false)
            // What is revoked is dead within a second.
            let suspended = try await server.command(["user", "suspend", "bea", "--server", server.origin])
            #expect(suspended.text == "bea: suspended\n")
            let ending = try await server.command(
                ["user", "suspend", "bea", "--for", "1d", "--server", server.origin])
            #expect(ending.text.hasPrefix("bea: suspended until 20"), "\(ending.text)\(ending.errorOutput)")
            _ = try await eventually("bea is out", within: 5) {
                try await server.web.request(playlist, headers: Self.basic("bea", viewers)).status == 401 ? true : nil
            }
            publisher.kill()
            for secret in [password, elsewhere, viewers, "correct horse"] { #expect(!server.log.contains(secret)) }
        }

        /// A publisher without an account pushes to one channel, until the link is revoked.
        @Test func aGuestPushesWithALink() async throws {
            let server = try AntenaProcess(channelFields: [
                "canalA": #""publish": "accounts""#, "canalB": #""publish": "accounts""#,
            ])
            try await server.start()
            let made = try await server.command(["publish-link", "create", "canalA", "--server", server.origin])
            let link = made.text.trimmingCharacters(in: .newlines)
            let expected = "rtsp://127.0.0.1:\(server.rtspPort)/live/canalA.stream?token=antena_pub_"
            #expect(made.status == 0 && link.hasPrefix(expected), "\(link)\(made.errorOutput)")
            let elsewhere = try BackgroundProgram.publisher(to: link.replacing("canalA", with: "canalB"))
            #expect(try await elsewhere.waitForExit(within: 20) != 0)
            // An encoder that comes back is let in again.
            for _ in 0..<2 {
                let publisher = try BackgroundProgram.publisher(to: link)
                _ = try await eventually("canalA is live; the log: \(server.log)", within: 30) {
                    try await server.channelState("canalA") == "live" ? true : nil
                }
                publisher.kill()
                _ = try await eventually("the publisher has gone", within: 30) {
                    try await server.channelState("canalA") == "live" ? nil : true
                }
            }
            let list = try await server.command(["publish-link", "list", "canalA", "--server", server.origin]).text
            #expect(list.contains("127.0.0.1") && !list.contains("antena_pub_"))
            let id = try #require(list.split(separator: "\n").last?.split(separator: " ").first).description
            let revoked = try await server.command(
                ["publish-link", "revoke", "canalA", id, "--server", server.origin])
            #expect(revoked.text == "\(id): revoked\n")
            let late = try BackgroundProgram.publisher(to: link)
            #expect(try await late.waitForExit(within: 20) != 0)
            #expect(!server.log.contains("antena_pub_"))
        }

        /// The command line and the pages know the same accounts.
        @Test func theCommandLineKeepsAccounts() async throws {
            let server = try await AntenaProcess.serving()
            _ = try await eventually("the link for the first administrator is shown", within: 10) {
                server.log.contains("/cuenta/inicio?link=") ? true : nil
            }
            try await Self.add("ana", "administrator", server)
            try await Self.add("eve", "member", server)
            func run(_ arguments: String...) async throws -> ExternalTool.Result {
                try await server.command(arguments + ["--server", server.origin])
            }
            #expect(try await run("user", "list").text.contains("eve       member         active"))
            #expect(try await run("user", "role", "eve", "operator").text == "eve: operator\n")
            #expect(try await run("user", "role", "eve", "king").status == 1)
            #expect(
                try await run("user", "grant", "eve", "canalA", "publish", "record").text.contains("publish, record"))
            #expect(try await run("user", "password", "eve", "--link").text.contains("/cuenta/clave?link="))
            let secret = try await Self.token(["eve", "script", "--days", "3"], server)
            let jobs = try await server.web.request("/metrics", headers: ["Authorization": "Bearer \(secret)"])
            #expect(jobs.status == 200)
            let list = try await run("token", "list", "eve").text
            #expect(list.contains("script") && !list.contains(secret))
            let id = try #require(list.split(separator: "\n").last?.split(separator: " ").first).description
            #expect(try await run("token", "revoke", "eve", id).text == "\(id): revoked\n")
            _ = try await eventually("the token is dead", within: 5) {
                let answer = try await server.web.request("/metrics", headers: ["Authorization": "Bearer \(secret)"])
                return answer.status == 401 ? true : nil
            }
            let log = try await run("audit", "--user", "eve").text
            #expect(log.contains("account.role") && log.contains("token.created") && !log.contains(secret))
            #expect(try await run("audit", "--event", "nothing").text == "no entries\n")
            #expect(try await run("user", "remove", "ana").errorOutput.contains("the only administrator"))
            #expect(try await run("user", "remove", "eve").text == "eve: removed\n")
            #expect(!server.log.contains(secret))
        }
    }
}
