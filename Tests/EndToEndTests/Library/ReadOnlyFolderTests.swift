import Foundation
import Glibc
import TestSupport
import Testing

extension EndToEnd {
    /// A media folder on a read-only file system, to which not even root may write.
    @Suite struct ReadOnlyFolderTests {
        private static let remount =
            #"mount --make-rprivate / && mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@""#

        private static func serving() async throws -> AntenaProcess {
            let server = try AntenaProcess()
            let film = try await MovieFixture.bFrames.path()
            try FileManager.default.copyItem(atPath: film, toPath: server.folder.file("media/vod/film.mp4"))
            server.launcher = ["unshare", "--mount", "sh", "-c", remount, "\(server.folder.path)/media/vod"]
            try await server.start()
            return server
        }

        @Test(.needs(.mounting)) func whatWouldWriteThereIsForbiddenAndSaysWhy() async throws {
            let server = try await Self.serving()
            let film = try await server.ingested("film.mp4")
            #expect(film.state == "ready")
            let elsewhere = try server.folder.file("elsewhere.mp4")
            try FileManager.default.copyItem(atPath: "\(server.folder.path)/media/vod/film.mp4", toPath: elsewhere)
            let tus = ["Tus-Resumable": "1.0.0", "Upload-Length": "10", "Upload-Metadata": "filename YS5tcDQ="]
            let json = ["Content-Type": "application/json"]
            let requests: [(method: String, path: String, headers: [String: String], body: String)] = [
                ("DELETE", "/api/v1/titles/\(film.id)", [:], ""),
                ("PUT", "/api/v1/titles/new.mp4", ["Content-Type": "video/mp4"], "0123456789"),
                ("POST", "/api/v1/uploads", tus, ""),
                ("POST", "/api/v1/titles", json, "{\"path\": \"\(elsewhere)\"}"),
            ]
            for request in requests {
                let answer = try await server.request(
                    request.path, method: request.method, headers: request.headers, body: request.body)
                #expect(answer.status == 403, "\(request.method) \(request.path): \(answer.status) \(answer.text)")
                #expect(
                    answer.text.contains("the folder \(server.folder.path)/media/vod is read-only for the server"),
                    "\(request.method) \(request.path): \(answer.text)")
            }
            #expect(try await server.request(film.playlist).status == 200, "it plays all the same")
            #expect(try await server.request("/api/v1/titles/\(film.id)").status == 200)
        }
    }
}
