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

        /// By command and by the form, with the program that decodes images. In a browser: `AccessibilityTests`.
        @Test func anImageIsSentForAChannel() async throws {
            let server = try await AntenaProcess.serving { _ in }
            let media = "\(server.folder.path)/media"
            func image(_ colour: String) async throws -> String {
                let file = try server.folder.file("\(colour).png")
                try await MediaClients.make(
                    file, ["-f", "lavfi", "-i", "color=\(colour):size=900x300:duration=0.04", "-frames:v", "1"])
                return file
            }
            func stored() -> [String] {
                ((try? FileManager.default.contentsOfDirectory(atPath: "\(media)/channels")) ?? []).sorted()
            }
            func named() async throws -> String? {
                let channel = try await server.request("/api/v1/configuration/channels/canalA").json
                return channel["cover"] as? String
            }
            func cover(_ arguments: [String]) async throws {
                let result = try await server.command(
                    ["channel", "cover", "canalA", "--server", server.origin] + arguments)
                #expect(result.status == 0, "\(result.errorOutput)")
            }
            try await cover(["--file", try await image("red")])
            let first = try #require(stored().first)
            #expect(try await named() == "channels/\(first)")
            let shown = try await server.web.request("/live/canalA/cover")
            #expect(shown.status == 200 && shown.body.starts(with: [0xFF, 0xD8]))
            // The form: another image takes the place of the first.
            let page = "/operator/canales/canalA"
            // Pages are for people who have logged in.
            try await AccountTests.add("root", "administrator", server)
            let session = "Bearer \(try await server.session("root"))"
            let form = try await server.web.request(
                page, headers: ["Accept": "text/html", "Authorization": session])
            let action = try #require(
                form.text.firstMatch(of: /action="(\/operator\/canales\/canalA\/caratula\?version=[a-z0-9]+)/)?.1)
            func send(_ path: String, _ image: [UInt8]) async throws -> Int {
                let start = "--b\r\nContent-Disposition: form-data; name=\"cover\"; filename=\"a.png\"\r\n\r\n"
                return try await server.web.request(
                    path, method: "POST",
                    headers: [
                        "Content-Type": "multipart/form-data; boundary=b", "Accept": "text/html",
                        "Authorization": session,
                    ], bytes: Array(start.utf8) + image + Array("\r\n--b--\r\n".utf8)
                ).status
            }
            #expect(try await send(String(action), Array("not an image".utf8)) == 422)
            #expect(try await send("\(page)/caratula?version=other", bytesOfFile(try await image("blue"))) == 412)
            #expect(stored() == [first])
            #expect(try await send(String(action), bytesOfFile(try await image("blue"))) == 303)
            let second = try #require(stored().first)
            #expect(stored().count == 1 && second != first)
            #expect(try await named() == "channels/\(second)")
            #expect(try await server.web.request("/live/canalA/cover").body != shown.body)
            // A file that two channels name stays for the other one.
            let shared = try await server.command([
                "channel", "set", "canalB", "--cover", "channels/\(second)", "--server", server.origin,
            ])
            #expect(shared.status == 0, "\(shared.errorOutput)")
            try await cover([])
            #expect(try await named() == nil)
            #expect(stored() == [second])
            #expect(try await server.web.request("/live/canalA/cover").status == 404)
            #expect(try await server.web.request("/live/canalB/cover").status == 200)
        }

        @Test func aFormChangesWhatPeopleReadOfAChannel() async throws {
            let server = try await AntenaProcess.serving { _ in }
            let page = "/operator/canales/canalA"
            #expect(try await server.web.request(page, headers: ["Accept": "application/json"]).status == 401)
            try await AccountTests.add("root", "administrator", server)
            let session = "Bearer \(try await server.session("root"))"
            let headers = ["Accept": "text/html", "Authorization": session]
            #expect(try await server.web.request("/operator/canales/none", headers: headers).status == 404)
            #expect(try await server.request(page).status == 403, "a token is nobody who has logged in")
            func version() async throws -> String {
                let form = try await server.web.request(page, headers: headers)
                return try #require(form.text.firstMatch(of: /name="version" value="([a-z0-9]+)"/).map { String($0.1) })
            }
            func send(_ fields: String, language: String = "en") async throws -> WebReply {
                try await server.web.request(
                    page, method: "POST",
                    headers: [
                        "Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html",
                        "Accept-Language": language, "Authorization": session,
                    ], body: fields)
            }
            let old = try await version()
            let saved = try await send(
                "version=\(old)&title=Canal+Uno&description=Uno%0D%0A%3Cb%3Edos&website=https://example.org/uno")
            #expect(saved.status == 303, "\(saved.text)")
            let channel = try await server.request("/api/v1/channels/canalA").json
            #expect(channel["title"] as? String == "Canal Uno" && channel["description"] as? String == "Uno\n<b>dos")
            #expect(channel["website"] as? String == "https://example.org/uno")
            let live = try await server.web.request("/directo").text
            #expect(live.contains("href=\"https://example.org/uno\"") && live.contains("&lt;b&gt;dos"))
            #expect(!live.contains(page), "visitors have no form")
            // Somebody who has seen the channel before that change does not undo it.
            #expect(try await send("version=\(old)&title=A").status == 412)
            // What is wrong stays in the form with the reason, in the language of the page, and nothing is saved.
            for (field, value, reason) in [
                ("website", "javascript:alert(1)", "Una dirección que empiece por"),
                ("title", String(repeating: "a", count: 201), "Como máximo 200"),
                ("description", String(repeating: "a", count: 1_001), "Como máximo 1000"),
                ("cover", "http://example.org/a.png", "La ruta de un archivo"),
            ] {
                let refused = try await send("version=\(version())&\(field)=\(value)", language: "es")
                #expect(refused.status == 422, "\(field)")
                #expect(refused.text.contains("id=\"wrong-\(field)\"") && refused.text.contains(reason), "\(field)")
                #expect(refused.text.contains("value=\"\(value)\"") || refused.text.contains(">\(value)<"), "\(field)")
            }
            #expect(try await server.request("/api/v1/channels/canalA").json["title"] as? String == "Canal Uno")
            // Empty fields are taken out of the file.
            #expect(try await send("version=\(version())&title=&description=&website=&cover=").status == 303)
            let file = try await server.request("/api/v1/configuration/channels/canalA").json
            #expect(["title", "description", "website", "cover"].allSatisfy { file[$0] == nil }, "\(file)")
        }
    }
}
