import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// `antena me`, on a whole server: the commands of members have a session, and no operator token.
    @Suite struct MeCommandTests {
        private let server: AntenaProcess
        private static let password = "correct horse battery"

        init() async throws {
            server = try AntenaProcess()
            try FileManager.default.copyItem(
                atPath: try await MovieFixture.noBFrames.path(), toPath: server.folder.file("media/vod/film.mp4"))
            try await server.start()
            let body = #"{"username": "ana", "password": "\#(Self.password)", "role": "member"}"#
            let account = try await server.request(
                "/api/v1/users", method: "POST", headers: ["Content-Type": "application/json"], body: body)
            #expect(account.status == 201, "\(account.text)")
        }

        /// Runs `antena me` as somebody who has nothing but the session.
        @discardableResult
        private func me(_ arguments: String..., input: [String] = [], status: Int32 = 0) async throws -> String {
            let file = try server.folder.write(input.map { "\($0)\n" }.joined(), to: "input")
            let result = try await ExternalTool("env").run(
                [
                    "XDG_CONFIG_HOME=\(server.folder.path)/config", "sh", "-c", "exec \"$@\" <'\(file)'", "sh",
                    AntenaProcess.executable, "me",
                ] + arguments, requiringSuccess: false)
            #expect(result.status == status, "\(arguments): \(result.errorOutput)\(result.text)")
            return result.text + result.errorOutput
        }

        private func logIn(_ input: String...) async throws {
            let text = try await me("log-in", "ana", "--server", server.origin, input: input)
            #expect(text.hasSuffix("ana: logged in\n"), "\(text)")
        }

        private func array(_ text: String) throws -> [[String: Any]] {
            try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        }

        @Test func aMemberManagesTheOwnAccount() async throws {
            #expect(try await me("show", status: 1).contains("antena me log-in"))
            let wrong = try await me("log-in", "ana", "--server", server.origin, input: ["wrong"], status: 1)
            #expect(wrong.contains("the username or the password is wrong"), "\(wrong)")
            try await logIn(Self.password)
            let file = "\(server.folder.path)/config/antena/session.json"
            let permissions = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(permissions == 0o600)

            #expect(try await me("set", "--name", "Ana Sol", "--city", "Cádiz", "--json").contains(#""city":"Cádiz""#))
            #expect(try await me("set", "--city", "").contains("Ana Sol"))
            #expect(try await me("show", "--json").contains(#""city":null"#))
            #expect(try await me("email", "ana@example.org", input: ["wrong"], status: 1).contains("password is wrong"))
            #expect(
                try await me("email", "ana@example.org", input: [Self.password]) == "ana: ana@example.org\n")
            let photo = try server.folder.file("photo.png")
            try await MediaClients.make(
                photo, ["-f", "lavfi", "-i", "color=blue:size=300x300:duration=0.04", "-frames:v", "1"])
            #expect(try await me("photo", photo) == "photo: changed\n")
            #expect(try await me("photo", "--remove") == "photo: removed\n")

            let secret = try await me("token", "create", "player", "--permission", "read")
                .trimmingCharacters(in: .newlines)
            let token = ["Authorization": "Bearer \(secret)"]
            #expect(try await server.web.request("/api/v1/me", headers: token).status == 200)
            let id = try #require(try array(try await me("token", "list", "--json")).first?["id"] as? String)
            #expect(try await me("token", "revoke", id) == "\(id): revoked\n")
            #expect(try await server.web.request("/api/v1/me", headers: token).status == 401)

            let export = try await me("export")
            #expect(export.contains("ana@example.org") && !export.contains(secret))
            let archive = try server.folder.file("ana.zip")
            #expect(try await me("export", "--zip", archive).contains("ana.zip"))
            let files = try await ExternalTool("unzip").run(["-Z1", archive]).lines
            #expect(files.contains("account.json") && files.contains("README.txt"))
            _ = try await ExternalTool("unzip").run(["-tqq", archive])
        }

        @Test func sessionsEndAndAPasswordChanges() async throws {
            try await logIn(Self.password)
            let old = try String(contentsOfFile: "\(server.folder.path)/config/antena/session.json", encoding: .utf8)
            try await logIn(Self.password)
            let sessions = try array(try await me("session", "list", "--json"))
            let other = try #require(sessions.first { $0["isThis"] as? Bool == false }?["id"] as? String)
            #expect(sessions.count == 2)
            #expect(try await me("session", "end", other) == "\(other): ended\n")
            #expect(try await me("session", "end", "--others") == "others: ended\n")
            #expect(try await me("password", input: [Self.password, "a longer new password"]) == "password: changed\n")
            #expect(try await me("session", "list").contains("yes"))
            // The session that was ended.
            try server.folder.write(old, to: "old.json")
            let path = "\(server.folder.path)/old.json"
            #expect(try await me("show", "--session", path, status: 1).contains("has ended; log in again"))
            #expect(try await me("log-out") == "ana: logged out\n")
            #expect(try await me("show", status: 1).contains("Nobody has logged in"))
            try await logIn("a longer new password")
            #expect(
                try await me("delete", "--for-good", input: ["a longer new password"]) == "ana: deleted\n")
            #expect(try await server.request("/api/v1/users/ana").status == 404)
        }

        /// Types the code that an authenticator would show.
        private static let authenticator = """
            import base64, hashlib, hmac, struct, subprocess, sys, time, urllib.parse
            program = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            program.stdin.write(sys.argv[1] + "\\n"); program.stdin.flush()
            uri = program.stdout.readline().strip()
            text = urllib.parse.parse_qs(urllib.parse.urlsplit(uri).query)["secret"][0]
            key = base64.b32decode(text + "=" * (-len(text) % 8))
            digest = hmac.new(key, struct.pack(">Q", int(time.time()) // 30), hashlib.sha1).digest()
            place = digest[-1] & 15
            code = (struct.unpack(">I", digest[place:place + 4])[0] & 0x7fffffff) % 1000000
            print(program.communicate(f"{code:06}\\n")[0], end="")
            sys.exit(program.returncode)
            """

        @Test func aSecondFactorIsSetUpUsedAndTurnedOff() async throws {
            try await logIn(Self.password)
            #expect(try await me("second-factor", "status") == "off\n")
            let file = try server.folder.write(Self.authenticator, to: "authenticator.py")
            let on = try await ExternalTool("env").run(
                [
                    "XDG_CONFIG_HOME=\(server.folder.path)/config", "python3", file, Self.password,
                    AntenaProcess.executable, "me", "second-factor", "on",
                ], requiringSuccess: false)
            #expect(on.status == 0, "\(on.errorOutput)\(on.text)")
            let codes = on.lines
            #expect(try await me("second-factor", "status").hasPrefix("on, \(codes.count) recovery codes"))
            try await logIn(Self.password, String(try #require(codes.first)))
            #expect(try await me("second-factor", "off", input: [Self.password]) == "second factor: off\n")
        }

        @Test func aMemberRentsStartsAndVotes() async throws {
            let title = try await server.ingested("film.mp4")
            for arguments in [["terms", title.id, "--price", "5"], ["credits", "add", "ana", "7"]] {
                let result = try await server.command(arguments + ["--server", server.origin])
                #expect(result.status == 0, "\(result.errorOutput)")
            }
            try await logIn(Self.password)
            #expect(try await me("offer", title.id, "--json").contains(#""price":5"#))
            for _ in 0..<2 {
                #expect(
                    try await me("rent", title.id, "--key", "k").hasSuffix(": \(title.id) rented, 2 credits are left\n")
                )
            }
            let rentals = try array(try await me("rental", "list", "--json"))
            let rental = try #require(rentals.first?["id"] as? String)
            #expect(rentals.count == 1)
            let started = try await me("rental", "start", rental)
            let playlist = try #require(started.split(separator: " ").first)
            #expect(try await server.web.request(String(playlist)).status == 200, "\(started)")
            #expect(try await me("vote", title.id, "8").hasPrefix("\(title.id): 8"))
            #expect(try await me("credits").hasPrefix("2 credits\n"))
            #expect(try await me("credits", "--csv").contains("\"rental\""))
        }
    }
}
