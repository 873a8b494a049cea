import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// A member's video from their file to players: on a whole server, with the command line and by HTTP.
    @Suite struct MemberUploadTests {
        private let server: AntenaProcess
        private static let password = "correct horse battery"

        init() async throws {
            server = try await AntenaProcess.serving { _ in }
            let body = #"{"username": "ana", "password": "\#(Self.password)", "role": "member"}"#
            let account = try await server.request(
                "/api/v1/users", method: "POST", headers: ["Content-Type": "application/json"], body: body)
            #expect(account.status == 201, "\(account.text)")
            let input = try server.folder.write("\(Self.password)\n", to: "input")
            _ = try await me(["log-in", "ana", "--server", server.origin], input: input)
        }

        private func me(_ arguments: [String], input: String = "/dev/null") async throws -> String {
            let result = try await ExternalTool("env").run(
                [
                    "XDG_CONFIG_HOME=\(server.folder.path)/config", "sh", "-c", "exec \"$@\" <'\(input)'", "sh",
                    AntenaProcess.executable, "me",
                ] + arguments, requiringSuccess: false)
            #expect(result.status == 0, "\(arguments): \(result.errorOutput)\(result.text)")
            return result.text
        }

        private func sent() async throws -> [[String: Any]] {
            let text = try await me(["video", "list", "--json"])
            return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        }

        /// The highest rate of each rendition in a multivariant playlist, in bit/s.
        private static func rates(_ playlist: String) -> [Int] {
            playlist.split(separator: "\n").filter { $0.hasPrefix("#EXT-X-STREAM-INF:") }.compactMap { line in
                line.split(separator: ",").first { $0.contains("BANDWIDTH=") && !$0.contains("AVERAGE") }
                    .flatMap { $0.split(separator: "=").last }.flatMap { Int($0) }
            }
        }

        /// The lowest rendition is below 0.4 Mbit/s, and players get its video and its audio.
        private func expectLowestRenditionPlays(_ path: String) async throws {
            let rates = Self.rates(try await server.web.request(path).text)
            let lowest = try #require(rates.indices.min { rates[$0] < rates[$1] })
            #expect(rates[lowest] < 400_000 && rates.count { $0 < 400_000 } == 1, "\(rates)")
            try await server.expectConformance(of: path)
            let result = try await ExternalTool.ffmpeg().run(
                [
                    "-v", "error", "-xerror", "-nostdin", "-i", server.origin + path, "-map", "0:p:\(lowest):v", "-map",
                    "0:p:\(lowest):a", "-f", "framecrc", "-",
                ], deadline: 90)
            #expect(result.lines.count { $0.hasPrefix("0,") } == 8 * 25)
            #expect(abs(result.lines.count { $0.hasPrefix("1,") } - 8 * 48_000 / 1_024) <= 3)
            for form in ["", "?format=ts"] {
                let rates = Self.rates(try await server.web.request(path + form).text)
                #expect(try #require(rates.min()) < 400_000, "\(form): \(rates)")
            }
        }

        private func until(_ event: String, within seconds: Double, _ holds: () async throws -> Bool) async throws {
            _ = try await eventually(event, within: seconds) { try await holds() ? true : nil }
        }

        @Test func aVideoIsSentPublishedAndPlaysOnPoorLines() async throws {
            // More than mobile lines carry, with audio that takes more than 0.4 Mbit/s by itself.
            let file = try server.folder.file("My race.mp4")
            try await MediaClients.make(
                file,
                [
                    "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25:duration=8,noise=alls=30:allf=t", "-f", "lavfi",
                    "-i", "anoisesrc=d=8:r=48000,pan=5.1|c0=c0|c1=c0|c2=c0|c4=c0|c5=c0", "-c:v", "libx264", "-preset",
                    "ultrafast", "-b:v", "3M", "-g", "50",
                    "-pix_fmt", "yuv420p", "-c:a", "ac3", "-b:a", "448k", "-movflags", "+faststart",
                ])
            let stranger = server.web
            _ = try await me(["video", "send", file, "--tag", "rally"])
            let upload = try #require(try await sent().first)
            #expect(upload["name"] as? String == "My race")
            try await until("it plays for its owner", within: 60) {
                try await sent().first?["state"] as? String == "ready"
            }
            let title = try #require(try await sent().first?["title"] as? String)
            // The server asks the database twice a second what it keeps from whom.
            try await until("it is kept from others", within: 10) {
                try await stranger.request("/vod/\(title)/playlist.m3u8").status == 404
            }
            #expect(try await !stranger.request("/api/v1/titles?kind=all").text.contains(title))
            let preview = try #require(try await sent().first?["playlist"] as? String)
            #expect(try await stranger.request(preview).status == 200)
            // The page shows the picture from beside the playlist, where it can be seen by the signature only.
            let picture = preview.replacing("playlist.m3u8", with: "poster.jpg")
            try await until("it has a picture", within: 60) {
                try await stranger.request(picture).headers["content-type"] == "image/jpeg"
            }
            #expect(try await stranger.request(picture.replacing("sig=", with: "sig=A")).status == 404)
            #expect(try await stranger.request("/vod/\(title)/poster.jpg").status == 404)
            let storyboard = preview.replacing("playlist.m3u8", with: "storyboard.vtt")
            try await until("it has a storyboard", within: 60) {
                try await stranger.request(storyboard).text.hasPrefix("WEBVTT")
            }

            let archive = try server.folder.file("ana.zip")
            _ = try await me(["export", "--zip", archive, "--files"])
            _ = try await ExternalTool("unzip").run(["-q", archive, "files/*", "-d", "\(server.folder.path)/archive"])
            let copies = try FileManager.default.contentsOfDirectory(atPath: "\(server.folder.path)/archive/files")
            let copy = "\(server.folder.path)/archive/files/\(try #require(copies.first))"
            #expect(copies.count == 1 && FileManager.default.contentsEqual(atPath: copy, andPath: file))

            _ = try await me(["video", "publish", try #require(upload["id"] as? String), "--name", "Start"])
            let video = try #require(try await sent().first?["video"] as? String)
            let shown = try await stranger.request("/api/v1/videos/\(video)")
            #expect(try shown.json["owner"] as? String == "ana" && shown.json["name"] as? String == "Start")
            try await until("there is a rendition for poor mobile lines", within: 120) {
                let rates = Self.rates(try await stranger.request("/vod/\(title)/playlist.m3u8").text)
                return rates.count > 1 && rates.contains { $0 < 400_000 }
            }
            try await expectLowestRenditionPlays("/vod/\(title)/playlist.m3u8")
            try await until("the library has the name", within: 30) {
                try await stranger.request("/api/v1/titles/\(title)").json["title"] as? String == "Start"
            }
            let name = try #require(
                try FileManager.default.contentsOfDirectory(atPath: server.folder.file("media/vod")).first {
                    $0.hasPrefix("video-")
                })

            _ = try await me(["video", "delete", try #require(upload["id"] as? String)])
            #expect(try await stranger.request("/api/v1/videos/\(video)").status == 404)
            try await until("the file is deleted", within: 30) {
                try !FileManager.default.fileExists(atPath: server.folder.file("media/vod/\(name)"))
            }
            // Delivery looks up titles every two seconds.
            try await until("nobody plays it", within: 30) {
                try await stranger.request("/vod/\(title)/playlist.m3u8").status == 404
            }
            #expect(try await sent().isEmpty)
        }

        /// A title that the library already has gets the same rendition when it is published.
        @Test func aTitleOfTheLibraryIsPublishedForPoorLines() async throws {
            try await MediaClients.make(
                server.folder.file("media/vod/film.mp4"),
                [
                    "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25:duration=4,noise=alls=30:allf=t", "-f", "lavfi",
                    "-i", "sine=d=4", "-c:v", "libx264", "-preset", "ultrafast", "-b:v", "3M", "-g", "50", "-pix_fmt",
                    "yuv420p", "-c:a", "aac", "-movflags", "+faststart",
                ])
            let title = try await server.ingested("film.mp4")
            try await AccountTests.add("eva", "administrator", server)
            let token = try await AccountTests.token(["eva", "test"], server)
            let published = try await server.web.request(
                "/api/v1/videos", method: "POST",
                headers: ["Authorization": "Bearer \(token)", "Content-Type": "application/json"],
                body: #"{"title": "\#(title.id)", "name": "Film"}"#)
            #expect(published.status == 201, "\(published.text)")
            try await until("there is a rendition for poor mobile lines", within: 120) {
                let rates = Self.rates(try await server.web.request("/vod/\(title.id)/playlist.m3u8").text)
                return rates.count > 1 && rates.contains { $0 < 400_000 }
            }
        }
    }
}
