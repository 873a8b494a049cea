import Foundation
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct CommandTests {
        private static func ingest(_ folder: TemporaryDirectory, _ files: [String]) async throws -> ExternalTool.Result
        {
            // No server may run at the default address meanwhile; otherwise another port would have to be named.
            try await ExternalTool("env").run(
                [
                    AntenaProcess.executable, "ingest", "--media", "\(folder.path)/media", "--data",
                    "\(folder.path)/data",
                ] + files, requiringSuccess: false)
        }

        private static var isServerAtTheDefaultAddress: Bool { (try? TCPConnection(port: 8080)) != nil }

        @Test(.enabled(if: !isServerAtTheDefaultAddress))
        func ingestsWithoutAServerAndAServerThenHasIt() async throws {
            let server = try AntenaProcess()
            let film = try bytesOfFile(try await MovieFixture.noBFrames.path())
            try server.folder.write(film, to: "elsewhere/a.mp4")
            try await MediaClients.make(
                server.folder.file("elsewhere/sub/b.mkv"),
                ["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25:duration=2", "-c:v", "mpeg4"])
            let result = try await Self.ingest(server.folder, ["\(server.folder.path)/elsewhere"])
            #expect(result.status == 0, "\(result.text)\(result.errorOutput)")
            #expect(result.text.contains(/a\.mp4: ready in [0-9.]+ s, \/vod\/a\/playlist\.m3u8/))
            #expect(result.text.contains(/b\.mkv: ready in [0-9.]+ s, \/vod\/b\/playlist\.m3u8/))
            try await server.start()
            for title in try await server.items("/api/v1/titles") {
                #expect(title["state"] as? String == "ready")
                #expect(title["poster"] is String, "\(title)")
            }
            #expect(try await server.items("/api/v1/titles").count == 2)

            // From here on the server owns the library.
            let second = try await Self.ingest(server.folder, ["\(server.folder.path)/elsewhere/a.mp4"])
            #expect(second.status == 2)
            #expect(second.errorOutput.contains("uses the data directory"), "\(second.errorOutput)")
        }

        @Test func exitCodesTellABadFileFromAServerThatIsNotThere() async throws {
            let server = try await AntenaProcess.serving()
            let bad = try server.folder.write("no film", to: "elsewhere/bad.mp4")
            let good = try server.folder.file("elsewhere/good.mp4")
            try FileManager.default.copyItem(atPath: try await MovieFixture.noBFrames.path(), toPath: good)
            func status(_ arguments: String...) async throws -> Int32 {
                try await server.command(["ingest"] + arguments).status
            }
            #expect(try await status("--server", server.origin, good) == 0)
            #expect(try await status("--server", server.origin, bad, good) == 1)
            #expect(try await status("--server", server.origin, "/nonexistent.mp4") == 1)
            #expect(try await status("--server", "http://127.0.0.1:9", good) == 2)
            #expect(try await status("--server", "nonsense", good) == 2)
        }

        /// The file is copied by a job with progress, not while a request waits.
        @Test func bringsALargeFileInFromElsewhere() async throws {
            let server = try await AntenaProcess.serving()
            let film = try bytesOfFile(try await MovieFixture.noBFrames.path())
            // A box that players skip makes the file large.
            let size: UInt32 = 80 << 20
            let header = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> UInt32($0)) } + Array("free".utf8)
            let path = try server.folder.write(film + header, to: "elsewhere/large.mp4")
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try handle.truncate(atOffset: UInt64(film.count) + UInt64(size))
            try handle.close()
            let accepted = try await server.request(
                "/api/v1/titles", method: "POST", headers: ["Content-Type": "application/json"],
                body: "{\"path\": \"\(path)\"}")
            #expect(accepted.status == 202)
            #expect(try accepted.json["kind"] as? String == "import")
            #expect(try await server.ingested("large.mp4").state == "ready")
            let result = try await server.command(["ingest", "--server", server.origin, path])
            #expect(result.status == 0)
            #expect(
                result.text.contains(/large\.mp4: ready in [0-9.]+ s, \/vod\/large-2\/playlist\.m3u8/), "\(result.text)"
            )
            #expect(
                FileManager.default.contentsEqual(
                    atPath: path, andPath: "\(server.folder.path)/media/vod/large-2.mp4"))
        }

        @Test func deletesATitle() async throws {
            let server = try await VideoOnDemandTests.servingOneFilm()
            let title = try await server.ingested("film.mp4")
            let missing = try await server.command(["delete", "--server", server.origin, "none"])
            #expect(
                missing.status == 1
                    && missing.errorOutput.contains(
                        "There is no title \"none\"; \"antena status\" lists ids and files.")
            )
            let result = try await server.command(["delete", "--server", server.origin, title.id])
            #expect(result.status == 0 && result.text == "film: deleted\n", "\(result.errorOutput)")
            #expect(try await server.request(title.playlist).status == 404)
            #expect(!FileManager.default.fileExists(atPath: "\(server.folder.path)/media/vod/film.mp4"))
        }
    }
}
