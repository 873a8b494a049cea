import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// A server whose files lie in an object store, behind a line that fails as the test says.
    @Suite struct MediaStoreTests {
        private let store: BackgroundProgram
        private let proxy: BackgroundProgram
        private let faults: TemporaryDirectory
        private let address: String

        init() async throws {
            faults = try TemporaryDirectory(label: "faults")
            store = try BackgroundProgram.script(
                "moto-server.py", [], interpreter: "\(Repository.path)/.build/object-stores/bin/python")
            let upstream = try await store.port()
            proxy = try BackgroundProgram.script(
                "faulty-store-proxy.py", ["\(upstream)", "\(faults.path)/faults.json"])
            address = "s3://media/club?endpoint=http://127.0.0.1:\(try await proxy.port())"
        }

        private func fail(_ json: String?) throws {
            // The proxy must not read half a file.
            let path = "\(faults.path)/faults.json"
            guard let json else { return try FileManager.default.removeItem(atPath: path) }
            try Data(json.utf8).write(to: URL(filePath: path), options: .atomic)
        }

        private func server() throws -> AntenaProcess {
            try server(in: TemporaryDirectory(label: "e2e"))
        }

        private func server(in folder: TemporaryDirectory) throws -> AntenaProcess {
            let server = try AntenaProcess(extraArguments: ["--media-store", address], folder: folder)
            server.launcher = ["AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test"]
            return server
        }

        private func add(_ name: String, to server: AntenaProcess) async throws {
            let source = try await MovieFixture.bFrames.path()
            try FileManager.default.copyItem(atPath: source, toPath: server.folder.file("media/vod/\(name)"))
        }

        private func isLocal(_ name: String, _ server: AntenaProcess) throws -> Bool {
            FileManager.default.fileExists(atPath: try server.folder.file("media/vod/\(name)"))
        }

        private func segments(_ server: AntenaProcess, _ title: String) async throws -> [[UInt8]] {
            let base = "/vod/\(title)/"
            let playlist = try await server.request("\(base)video.m3u8").text
            var bodies: [[UInt8]] = []
            for line in playlist.split(separator: "\n") where !line.hasPrefix("#") {
                let reply = try await server.request(base + line)
                guard reply.status == 200 else { throw Missing(text: "\(line): \(reply.status)") }
                bodies.append(reply.body)
            }
            return bodies
        }

        private struct Missing: Error { var text: String }

        @Test func titlesMoveToTheStorePlayFromThereAndComeBack() async throws {
            let server = try server()
            try await server.start()
            try await add("film.mp4", to: server)
            #expect(try await server.ingested("film.mp4").state == "ready")
            let before = try await segments(server, "film")
            // A store that fails one request in ten costs time and nothing else.
            try fail("{\"failEvery\": 10, \"latency\": 0.05}")
            try await eventually("the film is moved", within: 60) {
                try isLocal("film.mp4", server) ? nil : ()
            }
            #expect(try await segments(server, "film") == before)
            try fail(nil)
            let metrics = try await server.request("/metrics").text
            #expect(metrics.contains("antena_media_store_away 0"), "\(metrics)")
            #expect(metrics.contains("antena_media_cache_reads_total{result=\"hit\"}"))
            let verified = try await server.command(["media", "verify", "--read", "--server", server.origin])
            #expect(verified.status == 0, "\(verified)")
            let status = try await server.command(["media", "status", "--server", server.origin])
            #expect(status.text.contains("all files that can be moved are in the media store"), "\(status)")

            // Away: what the cache has plays, live channels and new titles go on.
            try fail("{\"away\": \"refuse\"}")
            #expect(try await segments(server, "film") == before)
            try await add("second.mp4", to: server)
            #expect(try await server.ingested("second.mp4").state == "ready")
            #expect(try await segments(server, "second") == before)
            #expect(try isLocal("second.mp4", server))
            try fail(nil)

            let moved = try await server.command(["media", "move", "--to", "folder", "--server", server.origin])
            #expect(moved.status == 0, "\(moved)")
            #expect(try isLocal("film.mp4", server) && isLocal("second.mp4", server))
            #expect(try await segments(server, "film") == before)
            #expect(try await server.ingested("film.mp4").state == "ready")
        }

        @Test func aServerDoesNotStartWithoutTheStoreOfItsFiles() async throws {
            let first = try server()
            try await first.start()
            try await add("film.mp4", to: first)
            try await eventually("the film is moved", within: 60) {
                try isLocal("film.mp4", first) ? nil : ()
            }
            first.signal(SIGKILL)
            _ = try await first.waitForExit(within: 10)
            let second = try await AntenaProcess.command(try AntenaProcess(folder: first.folder).arguments)
            #expect(second.status == 1)
            #expect(second.errorOutput.contains("antena media move --to folder"), "\(second.errorOutput)")
            // Killed as it was, it plays on from the store.
            let third = try self.server(in: first.folder)
            try await third.start()
            #expect(try await !segments(third, "film").isEmpty)
        }
    }
}
