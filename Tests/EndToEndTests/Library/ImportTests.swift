import Foundation
import Glibc
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct ImportTests {
        private static let tus = ["Tus-Resumable": "1.0.0"]

        private static func hidden(_ server: AntenaProcess) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: "\(server.folder.path)/media/vod")) ?? []).filter {
                $0.hasPrefix(".")
            }
        }

        /// Sends the head and a part of the announced body, and waits until the server has received it.
        @Test func anUploadGoesOnAfterAKillWhereTheServerHasIt() async throws {
            let film = try bytesOfFile(try await MovieFixture.noBFrames.path())
            let server = try await AntenaProcess.serving()
            let name = Data("Mi película.mp4".utf8).base64EncodedString()
            let created = try await server.request(
                "/api/v1/uploads", method: "POST",
                headers: Self.tus.merging(["Upload-Length": "\(film.count)", "Upload-Metadata": "filename \(name)"]) {
                    $1
                })
            #expect(created.status == 201)
            let path = try #require(created.headers["location"])
            let port = server.httpPort
            let authorization = "Authorization: Bearer \(try server.operatorToken)"
            let half = film.count / 2
            let connection = try await offCooperativePool {
                let connection = try TCPConnection(port: port)
                try connection.send(
                    "PATCH \(path) HTTP/1.1\r\nHost: localhost\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\n\(authorization)\r\n"
                        + "Content-Type: application/offset+octet-stream\r\nContent-Length: \(film.count)\r\n\r\n")
                try connection.send(Array(film.prefix(half)))
                return connection
            }
            func offset() async throws -> Int? {
                let head = try await server.request(path, method: "HEAD", headers: Self.tus)
                return head.headers["upload-offset"].flatMap { Int($0) }
            }
            _ = try await eventually("the server has half of it") { try await offset() == half ? true : nil }
            server.signal(SIGKILL)
            _ = try await server.waitForExit(within: 10)
            withExtendedLifetime(connection) {}
            try await server.start()
            #expect(try await offset() == half)
            let otherPort = server.httpPort
            let answer = try await offCooperativePool {
                let connection = try TCPConnection(port: otherPort)
                try connection.send(
                    "PATCH \(path) HTTP/1.1\r\nHost: localhost\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: \(half)\r\n\(authorization)\r\n"
                        + "Content-Type: application/offset+octet-stream\r\nContent-Length: \(film.count - half)\r\n"
                        + "Connection: close\r\n\r\n")
                try connection.send(Array(film.dropFirst(half)))
                return try connection.read(until: "\r\n\r\n")
            }
            #expect(answer.hasPrefix("HTTP/1.1 204"), "\(answer)")
            #expect(answer.lowercased().contains("content-location: /api/v1/titles/mi-pelicula"))
            let title = try await server.ingested("Mi película.mp4")
            #expect(title.state == "ready")
            #expect(try bytesOfFile("\(server.folder.path)/media/vod/Mi película.mp4") == film)
            #expect(Self.hidden(server) == [])
            try await MediaClients.decode(server.origin + title.playlist, seconds: 2)
        }

        /// Uploads without a tus client; an interrupted connection leaves nothing behind.
        @Test func curlUploadsInOnePiece() async throws {
            let film = try await MovieFixture.noBFrames.path()
            let server = try await AntenaProcess.serving()
            let titles = "\(server.origin)/api/v1/titles"
            let authorization = "Authorization: Bearer \(try server.operatorToken)"
            let name = (film as NSString).lastPathComponent
            let ways = [
                ["-T", film, titles + "/"],
                ["-H", "Content-Type: video/mp4", "--data-binary", "@\(film)", "\(titles)?name=second.mp4"],
                ["-F", "note=hello", "-F", "file=@\(film);filename=third.mp4", titles],
            ]
            for (way, file) in zip(ways, [name, "second.mp4", "third.mp4"]) {
                let answer = try await ExternalTool("curl").run(
                    ["-s", "-w", "\n%{http_code}", "-H", authorization] + way, deadline: 60)
                #expect(answer.lines.last == "201", "\(answer.text)")
                #expect(try bytesOfFile("\(server.folder.path)/media/vod/\(file)") == bytesOfFile(film))
                #expect(try await server.ingested(file).state == "ready")
            }
            let port = server.httpPort
            try await offCooperativePool {
                let connection = try TCPConnection(port: port)
                try connection.send(
                    "PUT /api/v1/titles/broken.mp4 HTTP/1.1\r\nHost: localhost\r\n\(authorization)\r\n"
                        + "Content-Length: 100000\r\n\r\n")
                try connection.send(Array(repeating: 1, count: 50_000))
            }
            _ = try await eventually("what has come of the broken one is gone") {
                let uploads = try FileManager.default.contentsOfDirectory(atPath: "\(server.folder.path)/data/uploads")
                return Self.hidden(server).isEmpty && uploads.isEmpty ? true : nil
            }
            #expect(!FileManager.default.fileExists(atPath: "\(server.folder.path)/media/vod/broken.mp4"))
        }

        /// A Python server that supports ranges and closes every connection after some bytes.
        private static let origin = """
            import http.server, os, re, sys
            data = open(sys.argv[1], 'rb').read()
            class Handler(http.server.BaseHTTPRequestHandler):
                protocol_version = 'HTTP/1.1'
                def log_message(self, *arguments): pass
                def do_GET(self):
                    if self.path.startswith('/to/'):
                        self.send_response(302)
                        self.send_header('Location', '/film.mp4' if self.path == '/to/film' else self.path)
                        self.send_header('Content-Length', '0')
                        self.end_headers()
                        return
                    start = 0
                    found = re.match(r'bytes=(\\d+)-', self.headers.get('Range', ''))
                    if found and self.headers.get('If-Range') == '"v1"':
                        start = int(found.group(1))
                        self.send_response(206)
                        self.send_header('Content-Range', f'bytes {start}-{len(data) - 1}/{len(data)}')
                    else:
                        self.send_response(200)
                    self.send_header('ETag', '"v1"')
                    self.send_header('Content-Length', str(len(data) - start))
                    self.end_headers()
                    self.wfile.write(data[start:start + len(data) * 2 // 3])
                    if start + len(data) * 2 // 3 < len(data):
                        self.wfile.flush()
                        self.close_connection = True
            server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
            print(server.server_address[1], flush=True)
            server.serve_forever()
            """

        private static func ingest(_ url: String, _ server: AntenaProcess) async throws -> WebReply {
            try await server.request(
                "/api/v1/titles", method: "POST", headers: ["Content-Type": "application/json"],
                body: "{\"url\": \"\(url)\"}")
        }

        private static func end(of job: String, _ server: AntenaProcess) async throws -> (state: String, error: String)
        {
            try await eventually("the job ends") {
                let job = try await server.request(job).json
                guard let state = job["state"] as? String, ["ready", "failed"].contains(state) else { return nil }
                return (state, job["error"] as? String ?? "")
            }
        }

        @Test func anImportGoesOnAfterABrokenConnectionAndPrivateAddressesAreRefused() async throws {
            let film = try await MovieFixture.noBFrames.path()
            let server = try AntenaProcess(extraArguments: ["--allow-private-imports"])
            let script = try server.folder.write(Self.origin, to: "origin.py")
            let origin = try BackgroundProgram("python3", [script, film])
            defer { origin.kill() }
            let port = try await eventually("the origin says its port") {
                Int(origin.output.trimmingCharacters(in: .whitespacesAndNewlines))
            }
            try await server.start()
            let accepted = try await Self.ingest("http://localhost:\(port)/to/film", server)
            #expect(accepted.status == 202)
            let job = try #require(accepted.headers["location"])
            #expect(try await Self.end(of: job, server).state == "ready")
            #expect(try await server.ingested("film.mp4").state == "ready")
            #expect(try bytesOfFile("\(server.folder.path)/media/vod/film.mp4") == bytesOfFile(film))
            let loop = try await Self.ingest("http://127.0.0.1:\(port)/to/itself", server)
            let ended = try await Self.end(of: try #require(loop.headers["location"]), server)
            #expect(ended.state == "failed" && ended.error.contains("redirected"), "\(ended)")

            let strict = try await AntenaProcess.serving()
            for host in ["127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]"] {
                let answer = try await Self.ingest("http://\(host):\(port)/film.mp4", strict)
                guard let job = answer.headers["location"] else {
                    #expect(answer.status == 400, "\(host)")
                    continue
                }
                let ended = try await Self.end(of: job, strict)
                #expect(ended.state == "failed", "\(host)")
                #expect(
                    ended.error.contains("is not a public address") || ended.error.contains("cannot be found"),
                    "\(host): \(ended)")
            }
            #expect(Self.hidden(strict) == [])
        }
    }
}
