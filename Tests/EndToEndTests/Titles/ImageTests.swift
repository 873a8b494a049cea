import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Posters and storyboards, made by the real, confined worker.
    @Suite struct ImageTests {
        private static let h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-threads", "1"]

        /// Makes a video of twelve seconds with a key frame every ten seconds and reordered frames.
        private static func makeFilm(_ path: String, seconds: Int = 12) async throws {
            try await MediaClients.make(
                path,
                ["-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25:duration=\(seconds)"] + h264
                    + ["-g", "250", "-bf", "3", "-crf", "10"])
        }

        private static func title(_ server: AntenaProcess, _ id: String) async throws -> [String: Any] {
            try await server.request("/api/v1/titles/\(id)").json
        }

        private static func save(_ path: String, from server: AntenaProcess, as name: String) async throws -> String {
            let reply = try await server.request(path)
            try #require(reply.status == 200, "\(path): \(reply.status)")
            return try server.folder.write(reply.body, to: name)
        }

        private static func put(
            _ server: AntenaProcess, _ id: String, _ body: String, type: String = "application/json"
        ) async throws -> WebReply {
            try await server.request(
                "/api/v1/titles/\(id)/poster", method: "PUT", headers: ["Content-Type": type, "If-Match": "*"],
                body: body)
        }

        /// The similarity, in decibels, of an image and the frame that ffmpeg shows at a time.
        private static func similarity(_ image: String, _ film: String, at seconds: Double) async throws -> Double {
            let expected = image + ".png"
            try await MediaClients.make(expected, ["-ss", "\(seconds)", "-i", film, "-frames:v", "1", "-update", "1"])
            let result = try await ExternalTool.ffmpeg().run([
                "-hide_banner", "-nostdin", "-i", image, "-i", expected, "-lavfi",
                "[0:v]format=yuv420p[a];[1:v]format=yuv420p[b];[a][b]psnr", "-f", "null", "-",
            ])
            let found = try #require(
                result.errorOutput.firstMatch(of: /average:([0-9.]+|inf)/), "\(result.errorOutput)")
            return found.1 == "inf" ? 99 : try #require(Double(found.1))
        }

        /// The average colour of a part of an image, 0 to 255.
        private static func colour(of image: String, crop: String = "iw:ih:0:0") async throws -> [Int] {
            try await ExternalTool.ffmpeg().run([
                "-v", "error", "-nostdin", "-i", image, "-vf", "crop=\(crop),scale=1:1:flags=area,format=rgb24",
                "-frames:v", "1", "-f", "rawvideo", "-",
            ]).output.map(Int.init)
        }

        @Test func aPosterIsTheFrameThatIsShownAtItsTime() async throws {
            let server = try await AntenaProcess.serving { folder in
                try await Self.makeFilm(folder.file("media/vod/film.mp4"))
            }
            let film = "\(server.folder.path)/media/vod/film.mp4"
            let id = try await server.ingested("film.mp4").id
            let first = try await eventually("it has a poster") {
                try await Self.title(server, id)["poster"] as? String
            }
            let reply = try await Self.put(server, id, "{\"at\": 8.2}")
            #expect(reply.status == 200, "\(reply.text)")
            let chosen = try #require(try reply.json["poster"] as? String)
            #expect(chosen != first)
            #expect(try reply.json["posterAt"] as? Double == 8.2)
            let image = try await Self.save(chosen, from: server, as: "chosen.jpg")
            let right = try await Self.similarity(image, film, at: 8.2)
            #expect(right > 30)
            for other in [8.0, 8.4] {
                let wrong = try await Self.similarity(image, film, at: other)
                #expect(right > wrong + 6, "\(right) dB, \(wrong) dB")
            }
            // The URL and the entity tag change, so that clients do not keep showing the old image.
            let tags = [
                try await server.request(first).headers["etag"], try await server.request(chosen).headers["etag"],
            ]
            #expect(tags[1] != nil)

            let tooLate = try await Self.put(server, id, "{\"at\": 60}")
            #expect(tooLate.status == 422 && tooLate.text.contains("ends after 12"), "\(tooLate.text)")
            for body in ["{}", "{\"at\": -1}", "{\"at\": \"1:00\"}", "no"] {
                #expect(try await Self.put(server, id, body).status == 400)
            }
            #expect(try await Self.put(server, "nobody", "{\"at\": 1}").status == 404)
            #expect(try await Self.put(server, id, "{\"at\": 1}", type: "text/plain").status == 415)
            #expect(try await Self.put(server, id, "no picture", type: "image/png").status == 422)
            #expect(try await Self.title(server, id)["poster"] as? String == chosen)

            // The choice survives a restart and another file of the same name.
            server.signal(SIGKILL)
            _ = try await server.waitForExit(within: 10)
            try await server.start()
            #expect(try await Self.title(server, id)["poster"] as? String == chosen)
            try await Self.makeFilm(server.folder.file("elsewhere/new.mp4"), seconds: 10)
            try FileManager.default.removeItem(atPath: film)
            try FileManager.default.moveItem(atPath: "\(server.folder.path)/elsewhere/new.mp4", toPath: film)
            let renewed = try await eventually("the new file has its poster", within: 30) {
                let title = try await Self.title(server, id)
                guard title["duration"] as? Double == 10, let poster = title["poster"] as? String else {
                    return nil as String?
                }
                return poster
            }
            #expect(renewed != chosen)
            // A busy machine shows the frame of its own choice until it has made that of the operator's.
            try await eventually {
                guard let poster = try await Self.title(server, id)["poster"] as? String else { return false }
                let again = try await Self.save(poster, from: server, as: "again.jpg")
                return try await Self.similarity(again, film, at: 8.2) > 30
            }

            let deleted = try await server.request(
                "/api/v1/titles/\(id)/poster", method: "DELETE", headers: ["If-Match": "*"])
            #expect(deleted.status == 200)
            #expect(try deleted.json["posterAt"] is NSNull)
            let posters = try FileManager.default.contentsOfDirectory(atPath: "\(server.folder.path)/data/posters")
            #expect(posters.count == 1)
        }

        @Test func aPosterIsNotTheBlackThatAFilmBeginsWith() async throws {
            let server = try await AntenaProcess.serving { folder in
                for (name, more) in [("one.mp4", ["-g", "250", "-sc_threshold", "0"]), ("many.mp4", ["-g", "25"])] {
                    try await MediaClients.make(
                        folder.file("media/vod/\(name)"),
                        [
                            "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25:duration=15", "-vf",
                            "fade=in:st=3:d=2,fade=in:st=0:d=3.05:color=black",
                        ] + Self.h264 + more)
                }
            }
            for name in ["one.mp4", "many.mp4"] {
                let id = try await server.ingested(name).id
                let poster = try await eventually("it has a poster") {
                    try await Self.title(server, id)["poster"] as? String
                }
                let image = try await Self.save(poster, from: server, as: "\(name).jpg")
                // The image is the complete test pattern, not a frame of a fade-in.
                let colour = try await Self.colour(of: image)
                #expect(colour.reduce(0, +) / 3 > 100, "\(name): \(colour)")
            }
        }

        @Test func commandsChooseAndSendPosters() async throws {
            let server = try await AntenaProcess.serving()
            let file = try server.folder.file("elsewhere/film.mp4")
            try await Self.makeFilm(file)
            func run(_ arguments: String...) async throws -> ExternalTool.Result {
                try await server.command(arguments)
            }
            let ingest = try await run("ingest", "--server", server.origin, "--poster-at", "0:08.2", file)
            #expect(ingest.status == 0, "\(ingest.text)\(ingest.errorOutput)")
            var title = try await Self.title(server, "film")
            #expect(title["posterAt"] as? Double == 8.2)
            let image = try await Self.save(
                try #require(title["poster"] as? String), from: server, as: "ingested.jpg")
            #expect(try await Self.similarity(image, file, at: 8.2) > 30)

            let own = try server.folder.file("own.png")
            try await MediaClients.make(
                own, ["-f", "lavfi", "-i", "color=c=0x20C040:size=1280x720", "-frames:v", "1", "-update", "1"])
            let sent = try await run("poster", "--server", server.origin, "film", "--file", own)
            #expect(sent.status == 0, "\(sent.errorOutput)")
            title = try await Self.title(server, "film")
            #expect(title["posterAt"] is NSNull)
            let green = try await Self.save(try #require(title["poster"] as? String), from: server, as: "green.jpg")
            let colour = try await Self.colour(of: green)
            #expect(zip(colour, [0x20, 0xC0, 0x40]).allSatisfy { abs($0 - $1) < 12 }, "\(colour)")
            let size = try await ExternalTool.ffprobe().run([
                "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", green,
            ])
            #expect(size.text == "640,360\n")

            #expect(try await run("poster", "--server", server.origin, "film", "--at", "1:00").status == 1)
            #expect(try await run("poster", "--server", server.origin, "nobody", "--at", "1").status == 1)
            #expect(try await run("poster", "--server", server.origin, "film", "--at", "1:99").status == 64)
            #expect(try await run("poster", "--server", server.origin, "film").status == 0)
            #expect(try await Self.title(server, "film")["poster"] as? String != title["poster"] as? String)
        }

        // MARK: Storyboards

        private static let colours: [(name: String, value: [Int])] = [
            ("red", [255, 0, 0]), ("0x00C000", [0, 192, 0]), ("blue", [0, 0, 255]), ("yellow", [255, 255, 0]),
            ("white", [255, 255, 255]), ("0xC000C0", [192, 0, 192]),
        ]

        /// Makes a video with five seconds of each colour, repeated once: more than one row of thumbnails.
        private static func makeColours(_ path: String) async throws {
            let all = colours + colours
            let inputs = all.flatMap { ["-f", "lavfi", "-i", "color=c=\($0.name):size=320x180:rate=10:duration=5"] }
            try await MediaClients.make(
                path,
                inputs + ["-filter_complex", "concat=n=\(all.count)"] + h264 + ["-g", "10", "-bf", "2"])
        }

        @Test func aStoryboardShowsTheRightFrames() async throws {
            let server = try await AntenaProcess.serving { folder in
                try await Self.makeColours(folder.file("media/vod/colours.mp4"))
            }
            let entry = try await server.ingested("colours.mp4")
            let id = entry.id
            #expect(try await server.request("/vod/\(id)/storyboard-6.jpg").status == 404)
            let address = try await eventually("it has a storyboard", within: 60) {
                try await Self.title(server, id)["storyboard"] as? String
            }
            let board = try await server.request(address)
            #expect(board.headers["content-type"] == "text/vtt; charset=utf-8")
            #expect(board.headers["etag"] != nil)
            let cues = board.text.matches(
                of: /([0-9:.]+) --> ([0-9:.]+)\n(storyboard-[0-9]+\.jpg\?v=[0-9a-z]+)#xywh=(\d+),(\d+),(\d+),(\d+)/)
            try #require(cues.count == 12, "\(board.text)")
            let sheet = try await Self.save("/vod/\(id)/\(cues[0].3)", from: server, as: "sheet.jpg")
            for (index, cue) in cues.enumerated() {
                let crop = "\(cue.6):\(cue.7):\(cue.4):\(cue.5)"
                let (colour, expected) = (
                    try await Self.colour(of: sheet, crop: crop), Self.colours[index % Self.colours.count]
                )
                #expect(
                    zip(colour, expected.value).allSatisfy { abs($0 - $1) < 24 },
                    "\(cue.1): \(colour) is not \(expected.name)")
            }
            #expect(cues[1].1 == "00:00:05.000" && cues[11].2 == "00:01:00.000")
            #expect(cues.allSatisfy { $0.6 == "160" && $0.7 == "90" })
            let jobs = try await server.items("/api/v1/jobs")
            #expect(jobs.contains { $0["kind"] as? String == "storyboard" && $0["state"] as? String == "ready" })

            // At 7.8 s of 60: green.
            let isGreen = """
                (() => {
                  const bar = document.querySelector('.p-bar'), box = bar.getBoundingClientRect();
                  bar.dispatchEvent(new PointerEvent('pointermove', { clientX: box.left + box.width * 0.13 }));
                  const canvas = document.querySelector('.p-hover canvas');
                  if (!canvas.width || !canvas.height) return false;
                  const [red, green, blue] = canvas.getContext('2d').getImageData(80, 45, 1, 1).data;
                  return canvas.width === 160 && red < 60 && green > 150 && blue < 60;
                })()
                """
            try await BrowserTests.expectPlaying(
                "\(server.origin)/videoclub", title: entry, until: [isGreen])

            #expect(try await server.request("/api/v1/titles/\(id)", method: "DELETE").status == 204)
            let left = try FileManager.default.contentsOfDirectory(atPath: "\(server.folder.path)/data/storyboards")
            #expect(left == [])
        }
    }
}
