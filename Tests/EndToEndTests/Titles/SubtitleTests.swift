import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Subtitles and chapters in containers other than MP4.
    @Suite struct SubtitleTests {
        /// An empty bitmap subtitle (HDMV PGS): presentation and end.
        private static let pictureSubtitles: [UInt8] = {
            func segment(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
                Array("PG".utf8) + [0, 1, 0x5F, 0x90, 0, 0, 0, 0, type, 0, UInt8(content.count)] + content
            }
            let composition: [UInt8] = [0, 160, 0, 90, 0x10, 0, 0, 0x80, 0, 0, 0]
            return segment(0x16, composition) + segment(0x80, [])
        }()

        private static let advanced = """
            [Script Info]
            ScriptType: v4.00+

            [V4+ Styles]
            Format: Name, Fontname, Fontsize, PrimaryColour, Bold, Italic, Alignment
            Style: Default,Arial,20,&H00FFFFFF,0,0,2

            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
            Dialogue: 0,0:00:01.00,0:00:03.00,Default,,0,0,0,,{\\an8}{\\i1}Exit{\\i0}\\Nthis way, please
            Dialogue: 0,0:00:04.00,0:00:06.00,Default,,0,0,0,,{\\p1}m 0 0 l 100 0{\\p0}
            Dialogue: 0,0:00:07.00,0:00:08.00,Default,,0,0,0,,1 < 2
            """

        private static func make(_ path: String, in folder: TemporaryDirectory) async throws {
            let spanish = try folder.write(
                "1\n00:00:01,000 --> 00:00:02,000\n<i>Hola</i> & adiós\n\n2\n00:00:05,000 --> 00:00:09,000\nfin\n",
                to: "es.srt")
            let english = try folder.write(advanced, to: "en.ass")
            let frames = try folder.write(pictureSubtitles, to: "pictures.sup")
            let chapters = try folder.write(
                ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=2500\ntitle=Uno\n"
                    + "[CHAPTER]\nTIMEBASE=1/1000\nSTART=2500\nEND=14000\ntitle=Dos \"y\" más\n", to: "chapters.txt")
            try await MediaClients.make(
                path,
                [
                    "-i", try await MovieFixture.bFrames.path(), "-i", spanish, "-i", english, "-f", "sup", "-i",
                    frames, "-i", chapters, "-map", "0", "-map", "1", "-map", "2", "-map", "3", "-map_metadata", "4",
                    "-map_chapters", "4", "-c", "copy", "-metadata:s:s:0", "language=spa", "-metadata:s:s:0",
                    "title=Para todos", "-disposition:s:0", "default", "-metadata:s:s:1", "language=eng",
                    "-disposition:s:1", "forced", "-metadata:s:s:2", "language=fra",
                ])
        }

        private static func text(_ url: String, index: Int = 0) async throws -> String {
            try await ExternalTool.ffmpeg().run([
                "-v", "error", "-nostdin", "-i", url, "-map", "0:s:\(index)", "-f", "srt", "-",
            ]).text.replacing("\r\n", with: "\n")
        }

        @Test func aMatroskaFilmHasItsSubtitlesAndChapters() async throws {
            let server = try await AntenaProcess.serving { folder in
                try await Self.make(folder.file("media/vod/film.mkv"), in: folder)
            }
            let title = try await server.ingested("film.mkv")
            try #require(title.state == "ready", "\(title.error ?? "")")
            let url = server.origin + title.playlist
            let playlist = try await server.request(title.playlist).text
            let named = playlist.split(separator: "\n").first { $0.contains(#"NAME="Español, Para todos""#) }
            #expect(named?.contains("TYPE=SUBTITLES") == true && named?.contains("DEFAULT=YES") == true, "\(playlist)")
            let forced = playlist.split(separator: "\n").first { $0.contains("English") }
            #expect(forced?.contains("FORCED=YES") == true, "\(playlist)")
            try await server.expectConformance(of: title.playlist)

            // The times are those of the file; a muxer shifts all times if audio starts before zero.
            let source = "\(server.folder.path)/media/vod/film.mkv"
            for (name, index) in [("subtitles-es", 0), ("subtitles-en-forced", 1)] {
                let found = try await Self.text(url.replacing("playlist.m3u8", with: "\(name).m3u8"))
                let expected = try await Self.text(source, index: index)
                let times = expected.matches(of: /.*-->.*/).map(\.output)
                #expect(
                    found.matches(of: /.*-->.*/).map(\.output) == (index == 0 ? times : [times[0], times[2]]),
                    "\(found)")
                #expect(!found.contains("WEBVTT"))
                let texts = index == 0 ? ["<i>Hola</i> & adiós", "fin"] : ["<i>Exit</i>\nthis way, please", "1 < 2"]
                #expect(texts.allSatisfy { found.contains("\n\($0)\n") }, "\(found)")
            }

            let folder = title.playlist.replacing("playlist.m3u8", with: "")
            let chapters = try await server.request(folder + "chapters.json")
            let list = try #require(
                try JSONSerialization.jsonObject(with: Data(chapters.body)) as? [[String: Any]], "\(chapters.text)")
            #expect(list.map { $0["start-time"] as? Double } == [0, 2.5])
            #expect(
                list.map { ($0["titles"] as? [[String: Any]])?.first?["title"] as? String } == ["Uno", "Dos \"y\" más"])
            #expect(playlist.contains("com.apple.hls.chapters"))

            let leftOut = try await server.request("/api/v1/titles/\(title.id)").json["leftOut"] as? String
            #expect(leftOut?.contains("hdmv_pgs_subtitle, fra") == true, "\(leftOut ?? "nothing")")
            #expect(server.log.contains("hdmv_pgs_subtitle"))

            #expect(try await server.request("/api/v1/titles/\(title.id)", method: "DELETE").status == 204)
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(server.folder.path)/data/movies") == [])
        }
    }
}
