import Foundation
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct RadioTests {
        private static let tags = [
            "-metadata", "title=La canción", "-metadata", "artist=Grupo", "-metadata", "album=Disco", "-metadata",
            "date=1987",
        ]
        private static let tone = ["-f", "lavfi", "-i", "sine=frequency=330:duration=8:sample_rate=44100"]
        private static let cover = ["-f", "lavfi", "-i", "color=red:size=64x64:duration=0.04"]

        private func serving(_ name: String, _ arguments: [String]) async throws -> AntenaProcess {
            try await AntenaProcess.serving { folder in
                try await MediaClients.make(folder.file("media/audio/\(name)"), arguments)
            }
        }

        @Test func cataloguesAndPlaysEveryFormat() async throws {
            let formats = [
                ("mp3", "libmp3lame"), ("m4a", "aac"), ("ogg", "libvorbis"), ("opus", "libopus"), ("flac", "flac"),
                ("wav", "pcm_s16le"),
            ]
            let server = try await AntenaProcess.serving { folder in
                for (ending, codec) in formats {
                    try await MediaClients.make(
                        folder.file("media/audio/song.\(ending)"),
                        Self.tone + ["-c:a", codec] + Self.tags + ["-metadata", "title=La canción \(ending)"])
                }
            }
            for (ending, _) in formats {
                let track = try await server.ingestedTrack(titled: "La canción \(ending)")
                #expect(track.state == "ready", "\(ending): \(track.error ?? "")")
                #expect(abs((track.duration ?? 0) - 8) < 0.2, "\(ending)")
                let item = try await server.request("/api/v1/tracks/\(track.id)").json
                #expect(item["artist"] as? String == "Grupo", "\(ending)")
                #expect(item["album"] as? String == "Disco", "\(ending)")
                #expect("\(item["year"] ?? "")" == "1987", "\(ending)")
                try await MediaClients.decode(server.origin + track.playlist, seconds: 8)
                try await MediaClients.decode(server.origin + "/radio/\(track.id)/file", seconds: 8)
                try await server.expectConformance(of: track.playlist)
            }
        }

        @Test func servesTheFileByRanges() async throws {
            let server = try await serving("song.mp3", Self.tone + ["-c:a", "libmp3lame"] + Self.tags)
            let track = try await server.ingestedTrack(titled: "La canción")
            let file = try bytesOfFile("\(server.folder.path)/media/audio/song.mp3")
            let path = "/radio/\(track.id)/file"
            let whole = try await server.request(path)
            #expect(whole.status == 200)
            #expect(whole.body == file)
            #expect(whole.headers["accept-ranges"] == "bytes")
            #expect(whole.headers["content-type"] == "audio/mpeg")
            let cases: [(range: String, expected: ArraySlice<UInt8>)] = [
                ("bytes=0-99", file[..<100]), ("bytes=100-", file[100...]), ("bytes=-50", file.suffix(50)),
                ("bytes=10-999999999", file[10...]),
            ]
            for (range, expected) in cases {
                let part = try await server.request(path, headers: ["Range": range])
                #expect(part.status == 206, "\(range)")
                #expect(part.body == Array(expected), "\(range)")
                let bounds = "bytes \(expected.startIndex)-\(expected.endIndex - 1)/\(file.count)"
                #expect(part.headers["content-range"] == bounds)
            }
            let beyond = try await server.request(path, headers: ["Range": "bytes=\(file.count)-"])
            #expect(beyond.status == 416)
            #expect(beyond.headers["content-range"] == "bytes */\(file.count)")
        }

        @Test func sendsTheWholeFileWhereIfRangeNoLongerHolds() async throws {
            let server = try await serving("song.mp3", Self.tone + ["-c:a", "libmp3lame"] + Self.tags)
            let track = try await server.ingestedTrack(titled: "La canción")
            let path = "/radio/\(track.id)/file"
            let tag = try #require(try await server.request(path, method: "HEAD").headers["etag"])
            let same = try await server.request(path, headers: ["Range": "bytes=0-9", "If-Range": tag])
            let other = try await server.request(path, headers: ["Range": "bytes=0-9", "If-Range": "\"other\""])
            #expect(same.status == 206)
            #expect(other.status == 200)
        }

        @Test func showsTheEmbeddedCover() async throws {
            let server = try await serving(
                "song.mp3",
                Self.tone + Self.cover + ["-map", "0:a", "-map", "1:v", "-c:a", "libmp3lame", "-c:v", "mjpeg"]
                    + ["-frames:v", "1", "-id3v2_version", "3", "-disposition:v", "attached_pic"] + Self.tags)
            let track = try await server.ingestedTrack(titled: "La canción")
            #expect(track.state == "ready", "\(track.error ?? "")")
            let cover = try await server.request("/radio/\(track.id)/cover")
            #expect(cover.status == 200)
            #expect(cover.headers["content-type"] == "image/jpeg")
            #expect(cover.body.starts(with: [0xFF, 0xD8]))
        }

        /// By command, by the form of the track's page, and beside the file, with the program that decodes images.
        @Test func anOperatorsCoverIsShownInsteadOfTheOneBesideTheFile() async throws {
            let server = try await AntenaProcess.serving { folder in
                try await MediaClients.make(
                    folder.file("media/audio/Disco/song.mp3"), Self.tone + ["-c:a", "libmp3lame"] + Self.tags)
                try await MediaClients.make(
                    folder.file("media/audio/Disco/cover.png"), Self.cover + ["-frames:v", "1"])
            }
            let track = try await server.ingestedTrack(titled: "La canción")
            func cover() async throws -> String? {
                try await server.request("/api/v1/tracks/\(track.id)").json["cover"] as? String
            }
            let beside = try await eventually("the image beside the file is the cover") { try await cover() }
            let image = try await server.request(beside)
            #expect(image.headers["content-type"] == "image/jpeg" && image.body.starts(with: [0xFF, 0xD8]))
            let file = try server.folder.file("own.png")
            try await MediaClients.make(
                file, ["-f", "lavfi", "-i", "color=blue:size=900x900:duration=0.04", "-frames:v", "1"])
            let set = try await server.command([
                "track", "cover", track.id, "--file", file, "--json", "--server", server.origin,
            ])
            #expect(set.status == 0 && set.text.contains("\"cover\""), "\(set.errorOutput)")
            let chosen = try #require(try await cover())
            #expect(chosen != beside)
            #expect(try await server.web.request("/radio").text.contains(chosen))
            let back = try await server.command(["track", "cover", track.id, "--server", server.origin])
            #expect(back.status == 0 && back.text.contains(beside), "\(back.errorOutput)")
            // The form of the track's page.
            let page = "/operator/pistas/\(track.id)"
            // Pages are for people who have logged in.
            try await AccountTests.add("root", "administrator", server)
            let session = "Bearer \(try await server.session("root"))"
            let shown = try await server.web.request(page, headers: ["Accept": "text/html", "Authorization": session])
            #expect(shown.status == 200 && shown.text.contains("enctype=\"multipart/form-data\""), "\(shown.text)")
            for (content, status) in [("not an image", 422), ("", 422)] {
                let form =
                    "--b\r\nContent-Disposition: form-data; name=\"cover\"; filename=\"a.png\"\r\n"
                    + "Content-Type: image/png\r\n\r\n\(content)\r\n--b--\r\n"
                let refused = try await server.web.request(
                    "\(page)/caratula", method: "POST",
                    headers: [
                        "Content-Type": "multipart/form-data; boundary=b", "Accept": "text/html",
                        "Authorization": session,
                    ], body: form)
                #expect(refused.status == status && refused.text.contains("role=\"alert\""), "\(refused.text)")
            }
            #expect(try await cover() == beside)
            // A form that has shown another cover does not replace this one unseen.
            let stale = try await server.web.request(
                "\(page)/caratula/quitar", method: "POST",
                headers: [
                    "Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html",
                    "Authorization": session,
                ],
                body: "version=another")
            #expect(stale.status == 412 && stale.text.contains("role=\"alert\""), "\(stale.text)")
            #expect(shown.text.contains("/caratula?version="), "\(shown.text)")
            let removed = try await server.web.request(
                "\(page)/caratula/quitar", method: "POST",
                headers: ["Content-Type": "application/x-www-form-urlencoded", "Authorization": session])
            #expect(removed.status == 303, "\(removed.text)")
        }
    }
}
