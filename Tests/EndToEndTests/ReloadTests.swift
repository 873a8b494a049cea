import Foundation
import HLSConformance
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct ReloadTests {
        private func channels(_ server: AntenaProcess) async throws -> [String] {
            try await server.items("/api/v1/channels").compactMap { $0["name"] as? String }
        }

        @Test func theFileIsReadAgainAndAWrongOneChangesNothing() async throws {
            let server = try await AntenaProcess.serving()
            let names = ["canalA", "canalB", "canalC", "canalD"]
            let right = AntenaProcess.channelsFile()
            let wrong = right.replacing(
                "\"defaultPreset\": \"medium\"", with: "\"defaultPreset\": \"best\"", maxReplacements: 1)
            try server.folder.write(wrong, to: "channels.json")
            _ = try await eventually("the change is noticed") {
                server.log.contains("channels.json changed; reloading it") ? true : nil
            }
            _ = try await eventually("the mistake is logged") {
                server.log.contains("channels.json has a mistake") ? true : nil
            }
            #expect(server.log.contains("channels[0].defaultPreset") && server.log.contains("line=6"))
            let refused = try await reload(server)
            #expect(refused.status == 1 && refused.errorOutput.contains("channels.json:6:"), "\(refused.errorOutput)")
            #expect(try await channels(server) == names)

            try server.folder.write(right.replacing("canalD", with: "canalE"), to: "channels.json")
            let answer = try await reload(server)
            #expect(
                answer.status == 0 && answer.text == "channels added: canalE\nchannels removed: canalD\n", "\(answer)")
            #expect(try await channels(server) == ["canalA", "canalB", "canalC", "canalE"])
            try server.folder.write(right, to: "channels.json")
            server.signal(SIGHUP)
            _ = try await eventually("the signal reloads") { try await channels(server) == names ? true : nil }
            // So does the change alone.
            try server.folder.write(right.replacing("canalD", with: "canalF"), to: "channels.json")
            _ = try await eventually("the change reloads") {
                try await channels(server) == ["canalA", "canalB", "canalC", "canalF"] ? true : nil
            }

            server.signal(SIGTERM)
            #expect(try await server.waitForExit(within: 10) == 0)
            #expect(server.log.contains("stopping on SIGTERM or SIGINT") && server.log.contains("server stopped"))
        }

        private func reload(_ server: AntenaProcess) async throws -> ExternalTool.Result {
            try await server.command(["reload", "--server", server.origin])
        }

        /// Changes of other channels and settings, one after the other, while a channel is pushed, watched and read.
        @Test func changesThatDoNotConcernAChannelInterruptNobodyThere() async throws {
            let server = try await AntenaProcess.serving()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            let before = try await LiveTests.window(of: server, count: 3)
            var histories = before.renditions.map { rendition in
                var history = LivePlaylistHistory()
                history.add(rendition.playlist)
                return history
            }
            async let frames = MediaClients.frameDigests(LiveTests.address(server), transport: "tcp", limit: 250)
            for round in 1...6 {
                for change in [
                    ["channel", "set", "canalB", "--title", "Canal \(round)"],
                    ["channel", "add", "canalE", "--preset", "medium"],
                    ["config", "set", "presets.medium.videoBitrate=\(1_200_000 + round)"],
                    ["channel", "remove", "canalE"],
                ] {
                    let result = try await server.command(change + ["--server", server.origin])
                    #expect(result.status == 0, "\(change): \(result.errorOutput)")
                }
                let load = try await ConformanceClient(server: server).load(LiveTests.playlist)
                for (index, rendition) in load.renditions.enumerated() where histories.indices.contains(index) {
                    histories[index].add(rendition.playlist)
                }
            }
            #expect(Set(try await frames).count == 250)
            #expect(publisher.isRunning, "\(publisher.errorOutput)")
            #expect(histories.flatMap(\.findings).map(\.description) == [])
            let after = try await ConformanceClient(server: server).load(LiveTests.playlist)
            let documents = after.renditions.map { PlaylistDocument($0.playlist) }
            #expect(documents.allSatisfy(\.discontinuities.isEmpty) && documents.count == before.renditions.count)
            publisher.kill()
        }

        @Test func aDamagedSecretEndsTheStartWithAdvice() async throws {
            let server = try AntenaProcess()
            try FileManager.default.createDirectory(
                atPath: "\(server.folder.path)/data/keys", withIntermediateDirectories: true)
            try server.folder.write("too short", to: "data/keys/secret")
            let folder = server.folder.path
            let result = try await AntenaProcess.command([
                "serve", "--http", "127.0.0.1:0", "--rtsp", "127.0.0.1:0", "--wowza-port", "off",
                "--media", "\(folder)/media", "--data", "\(folder)/data", "--channels", "\(folder)/channels.json",
            ])
            #expect(result.status != 0)
            #expect(result.errorOutput.contains("Restore it from a backup"))
        }

        /// By command, from the file to the page, with the program that decodes images.
        @Test func aChannelGetsADescriptionAndAnImage() async throws {
            let server = try await AntenaProcess.serving { folder in
                try await MediaClients.make(
                    folder.file("media/logos/a.png"),
                    ["-f", "lavfi", "-i", "color=red:size=900x300:duration=0.04", "-frames:v", "1"])
                try Data("not an image".utf8).write(to: URL(filePath: folder.file("media/logos/b.png")))
            }
            func set(_ channel: String, _ arguments: [String]) async throws {
                let result = try await server.command(
                    ["channel", "set", channel, "--server", server.origin] + arguments)
                #expect(result.status == 0, "\(result.errorOutput)")
            }
            #expect(try await server.web.request("/live/canalA/cover").status == 404)
            try await set("canalA", ["--description", "Noticias <a> todas horas", "--cover", "logos/a.png"])
            try await set("canalB", ["--cover", "logos/b.png"])
            let channel = try await server.request("/api/v1/channels/canalA").json
            #expect(channel["description"] as? String == "Noticias <a> todas horas")
            #expect(channel["cover"] as? String == "/live/canalA/cover")
            let image = try await server.web.request("/live/canalA/cover")
            #expect(image.status == 200 && image.headers["content-type"] == "image/jpeg")
            #expect(image.body.starts(with: [0xFF, 0xD8]))
            let tag = try #require(image.headers["etag"])
            let same = try await server.web.request("/live/canalA/cover", headers: ["If-None-Match": tag])
            #expect(same.status == 304)
            #expect(try await server.web.request("/live/canalB/cover").status == 404, "a text is not an image")
            #expect(try await server.web.request("/live/nobody/cover").status == 404)
            #expect(try await server.web.request("/directo").text.contains("src=\"/live/canalA/cover\""))
            try await set("canalA", ["--unset", "cover", "--unset", "description"])
            #expect(try await server.web.request("/live/canalA/cover").status == 404)
        }
    }
}
