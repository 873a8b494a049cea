import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Pages of the community, and the player, in browsers other than Chromium.
    @Suite struct FirefoxTests {
        static let python = "\(Repository.path)/.build/firefox/bin/python"

        /// In both languages, in a narrow window and one of a desktop.
        @Test func noPageHasAViolationOrIsWiderThanItsWindow() async throws {
            let script = try #require(AccessibilityTests.script, "run Scripts/setup.sh test, which installs axe-core")
            let server = try await VideoOnDemandTests.servingOneFilm()
            _ = try await server.ingested("film.mp4")
            let competition = try await CompetitionCommandTests.competition(on: server)
            try await CompetitionCommandTests.map(of: competition, title: "film", on: server)
            let video = try #require(try await server.items("/api/v1/videos").first?["id"] as? String)
            let account = try await server.request(
                "/api/v1/users", method: "POST", headers: ["Content-Type": "application/json"],
                body: #"{"username": "ana", "password": "correct horse battery", "role": "administrator"}"#)
            #expect(account.status == 201, "\(account.text)")
            let result = try await ExternalTool(path: Self.python).run(
                [
                    "\(Repository.path)/Tests/Support/firefox-pages.py", server.origin, script, "--user", "ana",
                    "--password", "correct horse battery", "/comunidad", "/comunidad/\(competition)",
                    "/comunidad/video/\(video)", "/comunidad/miembro/ana", "/comunidad/buscar?q=rally",
                    "/comunidad/subir", "/comunidad/avisos", "/comunidad/perfil",
                    "/operator/competiciones/\(competition)/mapa",
                ], deadline: 480, requiringSuccess: false)
            #expect(result.status == 0, "\(result.text) \(result.errorOutput)")
        }

        /// A title, a channel and a track: Firefox has no HLS of its own.
        @Test func titlesChannelsAndTracksPlay() async throws {
            try await Self.playEverything(with: Self.python, "firefox-player.py")
        }

        /// The same in WebKitGTK, the nearest that Debian has to Safari.
        @Test func titlesChannelsAndTracksPlayInWebKitGTK() async throws {
            try await Self.playEverything(with: "/usr/bin/python3", "webkit-player.py")
        }

        private static func playEverything(with python: String, _ script: String) async throws {
            let source = try await MovieFixture.bFrames.path()
            let server = try await AntenaProcess.serving { folder in
                try FileManager.default.copyItem(atPath: source, toPath: folder.file("media/vod/film.mp4"))
                try await MediaClients.make(
                    folder.file("media/audio/song.mp3"),
                    ["-f", "lavfi", "-i", "sine=duration=20", "-c:a", "libmp3lame", "-metadata", "title=Song"])
            }
            _ = try await server.ingested("film.mp4")
            _ = try await server.ingestedTrack(titled: "Song")
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            defer { publisher.kill() }
            try await server.isOnAir()
            let result = try await ExternalTool(path: python).run(
                [
                    "\(Repository.path)/Tests/Support/\(script)", server.origin, "/videoclub?title=film",
                    "/directo/canalA", "/radio",
                ], deadline: 480, requiringSuccess: false)
            #expect(result.status == 0, "\(result.text) \(result.errorOutput)")
            #expect(result.text.components(separatedBy: "SourceEngine").count == 4, "\(result.text)")
        }
    }
}
