import Foundation
import Glibc
import TestSupport
import Testing

extension EndToEnd {
    /// A server without the right to read every file, which root has otherwise.
    @Suite struct UnreadableFileTests {
        private static let launcher =
            geteuid() == 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : []

        private func setMode(_ mode: mode_t, _ name: String, of server: AntenaProcess) throws {
            #expect(chmod("\(server.folder.path)/media/\(name)", mode) == 0)
        }

        /// Without a restart, and without another change than that of its permissions.
        @Test func filesAndFoldersAreTakenWhenTheyBecomeReadable() async throws {
            let server = try AntenaProcess()
            let film = try await MovieFixture.bFrames.path()
            for name in ["film.mp4", "closed/inside.mp4"] {
                try FileManager.default.copyItem(atPath: film, toPath: server.folder.file("media/vod/\(name)"))
            }
            let song = try server.folder.file("media/audio/closed/inside.mp3")
            try await MediaClients.make(song, ["-f", "lavfi", "-i", "sine=duration=1", "-c:a", "libmp3lame"])
            try FileManager.default.copyItem(atPath: song, toPath: server.folder.file("media/audio/song.mp3"))
            for name in ["vod/film.mp4", "audio/song.mp3", "vod/closed", "audio/closed"] {
                try setMode(0, name, of: server)
            }
            server.launcher = Self.launcher
            try await server.start()
            for (list, file) in [("titles", "film.mp4"), ("tracks", "song.mp3")] {
                let item = try await eventually("\(file) has failed") {
                    try await self.item(file, list, server).flatMap { $0["state"] as? String == "failed" ? $0 : nil }
                }
                #expect((item["error"] as? String)?.contains("Permission denied") == true, "\(item)")
                #expect(try await self.item("closed/inside.mp\(list == "titles" ? 4 : 3)", list, server) == nil)
            }
            for name in ["vod/film.mp4", "audio/song.mp3"] { try setMode(0o644, name, of: server) }
            for name in ["vod/closed", "audio/closed"] { try setMode(0o755, name, of: server) }
            for (list, file) in [
                ("titles", "film.mp4"), ("tracks", "song.mp3"), ("titles", "closed/inside.mp4"),
                ("tracks", "closed/inside.mp3"),
            ] {
                _ = try await eventually("\(file) is ready", within: 60) {
                    try await self.item(file, list, server).flatMap { $0["state"] as? String == "ready" ? $0 : nil }
                }
            }
        }

        private func item(_ file: String, _ list: String, _ server: AntenaProcess) async throws -> [String: Any]? {
            let items = try await server.request("/api/v1/\(list)").json["items"] as? [[String: Any]]
            // The "file" of a track is an address.
            let id = URL(filePath: file).deletingPathExtension().lastPathComponent
            return items?.first { ($0["file"] as? String == file) || (list == "tracks" && $0["id"] as? String == id) }
        }
    }
}
