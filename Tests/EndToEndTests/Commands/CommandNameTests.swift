import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Commands with titles and channels, named in the ways that users name them.
    @Suite struct CommandNameTests {
        private static let file = "Canción – día_1 🎬.mp4"
        private static let channel = "canal-1_b"
        private static let presets = """
            { "medium": { "width": 160, "height": 90, "frameRate": 30, "videoBitrate": 200000, "audioBitrate": 96000 },
              "low": { "width": 96, "height": 54, "frameRate": 30, "videoBitrate": 40000, "audioBitrate": 64000 } }
            """

        private static func server() async throws -> AntenaProcess {
            let server = try AntenaProcess()
            try server.folder.write(
                """
                { "presets": \(presets), "channels": [
                    { "name": "\(channel)", "title": "A", "defaultPreset": "medium", "presets": ["medium"] } ] }
                """, to: "channels.json")
            let film = try await MovieFixture.bFrames.path()
            for name in [file, "garden-of_life.mp4"] {
                try FileManager.default.copyItem(atPath: film, toPath: server.folder.file("media/vod/\(name)"))
            }
            try await server.start()
            for name in [file, "garden-of_life.mp4"] { #expect(try await server.ingested(name).state == "ready") }
            return server
        }

        private typealias Run = (_ arguments: String...) async throws -> String

        private func checkDetails(_ run: Run, id: String, plain: String) async throws {
            let set = try await run(
                "title", "set", Self.file, "--title", "Ñandú 🎬", "--year", "2001", "--genre", "Drama, con coma",
                "--genre", "Año", "--series", "Serie", "--season", "1", "--episode", "2")
            #expect(
                set.contains("Ñandú 🎬") && set.contains("Drama, con coma, Año") && set.contains("operator"), "\(set)")
            #expect(try await run("title", "show", id, "--json").contains(#""season":1"#))
            #expect(try await run("title", "list", "--search", "ñandu").contains("Serie S01E02"))
            let newest = try await run("title", "list", "--sort", "newest", "--state", "ready", "--json")
            #expect(newest.contains(id) && newest.contains(plain))
            let reset = try await run("title", "set", id, "--reset", "title", "--reset", "genres", "--json")
            #expect(!reset.contains("Ñandú") && reset.contains(#""genres":null"#), "\(reset)")
            #expect(try await run("track", "list") == "no tracks\n")
        }

        private func checkConfiguration(_ run: Run, _ server: AntenaProcess) async throws {
            #expect(try await run("channel", "list").contains(Self.channel))
            #expect(
                try await run("channel", "add", "canal-2_c", "--title", "Otro “canal”", "--preset", "medium")
                    == "channels added: canal-2_c\n")
            #expect(
                try await run("channel", "set", "canal-2_c", "--title", "Año", "--set", "partDuration=0.5")
                    == "channels changed: canal-2_c\n")
            #expect(try await run("channel", "show", "canal-2_c").contains(#""partDuration": 0.5"#))
            let file = try String(contentsOfFile: "\(server.folder.path)/channels.json", encoding: .utf8)
            #expect(file.contains("Año") && file.contains(Self.channel))
            #expect(try await run("channel", "remove", "canal-2_c") == "channels removed: canal-2_c\n")
            #expect(try await run("config", "set", "presets.low.videoBitrate=50000").contains("presets changed"))
            #expect(try await run("config", "show").contains("50000"))
            let wrong = try await server.command([
                "config", "set", "presets.low.width=1", "--server", server.origin,
            ])
            #expect(wrong.status == 1 && wrong.errorOutput.contains("presets.low.width"), "\(wrong.errorOutput)")
            #expect(try await run("config", "unset", "encrypt") == "channels.json reloaded; no channel has changed\n")
        }

        /// Uses IDs and files, with one server for all commands, because starting it takes most of the time.
        @Test func everyCommandTakesIdsAndFilesAsTheyAre() async throws {
            let server = try await Self.server()
            func run(_ arguments: String...) async throws -> String {
                let result = try await server.command(arguments + ["--server", server.origin])
                #expect(result.status == 0, "\(arguments): \(result.text)\(result.errorOutput)")
                return result.text
            }
            let id = try await server.ingested(Self.file).id
            let plain = try await server.ingested("garden-of_life.mp4").id
            #expect(plain.contains("-"), "an id with what RFC 3986 calls unreserved")
            for name in [plain, id, Self.file] {
                #expect(try await run("poster", name, "--at", "0:02").contains("poster.jpg"))
                #expect(try await run("encrypt", name) == "\(name): encrypted\n")
                #expect(try await run("encrypt", "--off", name) == "\(name): in the clear\n")
            }
            let image = try server.folder.file("elsewhere/cártel – 🎬.png")
            try await MediaClients.make(
                image, ["-f", "lavfi", "-i", "testsrc2=size=320x180", "-frames:v", "1", "-update", "1"])
            #expect(try await run("poster", Self.file, "--file", image).contains("poster.jpg"))
            #expect(try await run("poster", Self.file).contains("poster.jpg"))
            for (number, name) in [plain, id, Self.file].enumerated() {
                _ = try await run("export", name, "\(server.folder.path)/export día \(number)")
            }
            #expect(try await run("transcode", Self.file, "--presets", "low").contains("ready"))
            #expect(try await run("transcode", id, "--drop").contains("no ladder"))
            try await checkDetails(run, id: id, plain: plain)
            try await checkConfiguration(run, server)
            let status = try await run("status")
            #expect(status.contains(id) && status.contains(plain) && status.contains(Self.file), "\(status)")
            let copy = try server.folder.file("elsewhere/Ñandú & año_2 🎥.mp4")
            try FileManager.default.copyItem(
                atPath: "\(server.folder.path)/media/vod/garden-of_life.mp4", toPath: copy)
            #expect(try await run("ingest", "--poster-at", "0:02", copy).contains("ready"))
            #expect(try await run("delete", Self.file, plain) == "\(Self.file): deleted\n\(plain): deleted\n")
            let left = try FileManager.default.contentsOfDirectory(atPath: "\(server.folder.path)/media/vod")
            #expect(left == ["Ñandú & año_2 🎥.mp4"])
            try await Self.record(server)
            try await Self.jobs(server, run)
        }

        private static func record(_ server: AntenaProcess) async throws {
            // "Not live" is reported only if the channel was found.
            let found = try await server.command(["record", channel, "start", "--server", server.origin])
            #expect(found.status == 1 && !found.errorOutput.contains("there is no channel"), "\(found.errorOutput)")
            let missing = try await server.command(["record", "canal 2 ñ", "start", "--server", server.origin])
            #expect(
                missing.errorOutput.contains("there is no channel \"canal 2 ñ\"; there are: \(channel)"),
                "\(missing.errorOutput)")
        }

        private static func jobs(
            _ server: AntenaProcess, _ run: (String...) async throws -> String
        ) async throws {
            try server.folder.write("not a film", to: "media/vod/rota – día_1 🎬.mkv")
            let id = try await eventually("the job fails") {
                try await server.items("/api/v1/jobs").first { job in
                    (job["file"] as? String)?.hasPrefix("rota") == true && job["state"] as? String == "failed"
                }?["id"] as? String
            }
            let table = try await run("jobs")
            #expect(table.contains("rota – día_1 🎬.mkv") && table.contains("failed"), "\(table)")
            #expect(try await run("jobs", "retry", id).hasPrefix("\(id): "))
            for arguments in [["cancel", "0"], ["retry", "ñ/🎬"], ["prioritize", "0", "5"]] {
                let result = try await server.command(["jobs"] + arguments + ["--server", server.origin])
                #expect(result.status == 1 && result.errorOutput.contains("there is no job \"\(arguments[1])\""))
            }
        }

        /// Messages for an operator without a token, or with another server's token.
        @Test func commandsTellWhereTheTokenLies() async throws {
            let server = try await AntenaProcess.serving()
            func run(_ environment: [String], _ more: [String] = []) async throws -> ExternalTool.Result {
                try await ExternalTool("env").run(
                    environment + [AntenaProcess.executable, "delete", "film", "--server", server.origin] + more,
                    requiringSuccess: false)
            }
            try server.folder.write(Array(repeating: "0", count: 64).joined(), to: "other")
            let own = "\(server.folder.path)/data/operator-token"
            for (environment, more, text) in [
                (["ANTENA_DATA=/nonexistent"], [], "film"),
                (["ANTENA_TOKEN="], ["--token-file", own], "film"),
            ] as [([String], [String], String)] {
                let result = try await run(environment, more)
                #expect(result.status == 1 && result.errorOutput.contains("There is no title \"\(text)\""))
            }
            // The title exists now, so only the token is missing.
            try FileManager.default.copyItem(
                atPath: try await MovieFixture.bFrames.path(), toPath: server.folder.file("media/vod/film.mp4"))
            _ = try await server.ingested("film.mp4")
            let none = try await run(["ANTENA_DATA=/nonexistent"])
            #expect(none.status == 1 && none.errorOutput.contains("There is no file /nonexistent/operator-token."))
            #expect(none.errorOutput.contains("--data DIR") && none.errorOutput.contains("ANTENA_TOKEN"))
            let wrong = try await run([], ["--token-file", "\(server.folder.path)/other"])
            #expect(wrong.status == 1 && wrong.errorOutput.contains("is not this server's"), "\(wrong.errorOutput)")
            let token = try server.operatorToken
            let right = try await run(["ANTENA_TOKEN=\(token)"])
            #expect(right.status == 0, "\(right.errorOutput)")
        }
    }
}
