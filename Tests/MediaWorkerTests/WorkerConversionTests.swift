import Codecs
import Foundation
import ISOBMFF
import MediaCore
import MediaWorkerTestSupport
import Packaging
import Synchronization
import TestSupport
import Testing

@testable import MediaWorker

struct WorkerConversionTests {
    let fixtures: WorkerFixtures

    init() throws { fixtures = try WorkerFixtures() }

    @Test func saysWhatAFileHolds() async throws {
        let file = try fixtures.makeMedia("a.mkv", "-c:v libx264 -preset ultrafast -c:a libopus")
        let description = try #require(try await fixtures.work(.probe, on: file).description)
        #expect(description.container == "matroska,webm")
        #expect(description.tags["title"] == "A title")
        #expect(description.streams.map(\.codec) == ["h264", "opus"])
        #expect(description.streams.first?.width == 320)
        #expect(description.streams.first?.frameRate == 25)
        #expect(abs((description.duration ?? 0) - 3) < 0.1)
        #expect(!description.hasCoverImage)
    }

    /// A Matroska file without tags of its own, whose audio track has all of them.
    @Test func tagsOfATrackAreNotThoseOfTheFile() async throws {
        let own = "-metadata title= -metadata:s:a title=Surround -metadata:s:a artist=Mixer -metadata:s:a comment=Loud "
        let streams = "-metadata:s:a date=1999 -metadata:s:v title=Picture"
        for name in ["a.mkv", "a.mov", "a.nut"] {
            let file = try fixtures.makeMedia(name, "-c:v libx264 -preset ultrafast -c:a aac \(own)\(streams)")
            let tags = try #require(try await fixtures.work(.probe, on: file).description?.tags)
            #expect(["title", "artist", "comment", "date"].allSatisfy { tags[$0] == nil }, "\(name) \(tags)")
        }
        // Ogg has only tags of streams.
        let ogg = try fixtures.makeMedia("a.ogg", "-vn -c:a libvorbis -metadata artist=Someone")
        let tags = try await fixtures.work(.probe, on: ogg).description?.tags
        #expect(tags?["title"] == "A title" && tags?["artist"] == "Someone")
    }

    @Test func copiesPacketsBitForBit() async throws {
        let file = try fixtures.makeMedia("a.mkv", "-c:v libx264 -preset veryfast -bf 2 -pix_fmt yuv420p -c:a aac")
        let output = fixtures.path("a.mp4")
        let result = try await fixtures.work(.toMovie(output: output), on: file)
        #expect(result.copiedStreams == 2)
        #expect(result.transcodedStreams == 0)
        for stream in ["v", "a"] {
            // Decoded: containers frame the same H.264 and AAC differently.
            let hashes = try [file, output].map {
                try WorkerFixtures.run(
                    "ffmpeg",
                    ["-nostdin", "-v", "error", "-i", $0, "-map", "0:\(stream)", "-c", "copy", "-f", "streamhash", "-"])
            }
            #expect(hashes[0] == hashes[1])
        }
        let times = try fixtures.probe(output, "-select_streams v -show_entries packet=duration_time -of csv=p=0")
        #expect(Set(times.split(separator: "\n")) == ["0.040000"])
        #expect(fixtures.leftovers.isEmpty)
    }

    @Test(arguments: [
        ("a.webm", "-pix_fmt yuv420p -c:v libvpx -b:v 300k -deadline realtime -cpu-used 8 -c:a libvorbis", "aac"),
        ("a.avi", "-c:v mpeg4 -vtag XVID -c:a libmp3lame", "mp3"),
        ("a.ts", "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a mp2", "aac"),
        ("a.flv", "-c:v flv1 -c:a libmp3lame -ar 44100", "mp3"),
        ("hi10.mkv", "-c:v libx264 -preset ultrafast -pix_fmt yuv444p -c:a flac", "flac"),
    ])
    func convertsWhatPlayersCannotTake(name: String, arguments: String, audioCodec: String) async throws {
        let file = try fixtures.makeMedia(name, arguments)
        let output = fixtures.path("out.mp4")
        let fractions = Mutex<[Double]>([])
        let result = try await fixtures.work(.toMovie(output: output), on: file) { event in
            if case .progress(let fraction) = event { fractions.withLock { $0.append(fraction) } }
        }
        // Of the transport stream the frame is copied, of others the audio.
        #expect(result.transcodedStreams == (name == "a.webm" ? 2 : 1))
        let streams = try fixtures.probe(
            output, "-show_entries stream=codec_name,pix_fmt,nb_frames,sample_rate -of csv=p=0")
        #expect(streams.contains("h264,yuv420p,75") || streams.contains("h264,yuv420p"))
        #expect(streams.contains(audioCodec))
        let duration = try Double(
            fixtures.probe(output, "-show_entries format=duration -of csv=p=0").trimmingCharacters(in: .newlines))
        #expect(abs((duration ?? 0) - 3) < 0.15)
        let keyFrames = try fixtures.probe(
            output, "-select_streams v -skip_frame nokey -show_entries frame=pts_time -of csv=p=0")
        #expect(keyFrames.split(separator: "\n").count >= (name == "a.ts" ? 1 : 2))
        #expect(fractions.withLock { $0 == $0.sorted() })
    }

    /// Matroska's newer element for languages, a name, and flags.
    @Test func keepsWhatTheAuthorSaysAboutATrack() async throws {
        let made = try fixtures.makeMedia(
            "made.mkv",
            "-map 0:v -map 1:a -map 1:a -map 1:a -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac "
                + "-metadata:s:a:0 language=zh-Hant -metadata:s:a:1 language=spa "
                + "-metadata:s:a:1 title=Comentario_del_director -disposition:a:1 comment "
                + "-metadata:s:a:2 language=es-419 -disposition:a:2 visual_impaired")
        var bytes = try Data(contentsOf: URL(filePath: made))
        // Language becomes LanguageBCP47.
        let place = try #require(bytes.range(of: Data([0x22, 0xB5, 0x9C, 0x87] + Array("zh-Hant".utf8))))
        bytes[place.lowerBound + 2] = 0x9D
        let file = fixtures.path("film.mkv")
        try bytes.write(to: URL(filePath: file))
        let output = fixtures.path("film.mp4")
        let result = try await fixtures.work(.toMovie(output: output), on: file)
        #expect(result.description?.streams.map(\.language) == [nil, "zh-Hant", "spa", "es-419"])
        let audio = try MovieIndex.read(from: MediaFile(path: output)).tracks.filter { $0.track.mediaType == .audio }
        #expect(audio.map(\.language?.text) == ["zh-Hant", "es", "es-419"])
        #expect(audio.map(\.userData.name) == [nil, "Comentario_del_director", nil])
        #expect(audio.map(\.userData.isCommentary) == [false, true, false])
        #expect(audio.map(\.userData.describesVideo) == [false, false, true])
        // Other readers accept the movie, too.
        let count = try fixtures.probe(output, "-count_packets -show_entries stream=nb_read_packets -of csv=p=0")
        #expect(count.split(separator: "\n").count == 4 && !count.contains("N/A"))
    }

    /// Lengths of one and two bytes become four; the NAL units stay.
    @Test(arguments: [("h264", 2), ("h264", 1), ("hevc", 2)]) func rewritesShortNALUnitLengths(
        codec: String, byteCount: Int
    ) async throws {
        let encoder =
            codec == "h264"
            ? "-c:v libx264 -preset ultrafast -bf 2 -pix_fmt yuv420p -slice-max-size 200 -bsf:v filter_units=remove_types=6"
            : "-c:v libx265 -preset ultrafast -tag:v hvc1 -pix_fmt yuv420p -x265-params log-level=none:open-gop=0"
        let made = try fixtures.makeMedia("made.mp4", "-an -s 64x36 -r 10 \(encoder)")
        let short = fixtures.path("short.mp4")
        try ShortNALUnitLengths(byteCount).rewrite(made, to: short)
        #expect(throws: CodecError.self) { try ShortNALUnitLengths.configuration(of: short) }
        let output = fixtures.path("out.mp4")
        let result = try await fixtures.work(.toMovie(output: output), on: short)
        #expect(result.copiedStreams == 1 && result.transcodedStreams == 0 && result.note == nil)
        let index = try MovieIndex.read(from: MediaFile(path: output))
        #expect(index.tracks.first?.configuration?.name == (codec == "h264" ? "H.264" : "HEVC"))
        let streams = try [made, output].map { path in
            try WorkerFixtures.run(
                "ffmpeg", ["-nostdin", "-v", "error", "-i", path, "-c", "copy", "-f", "streamhash", "-"])
        }
        #expect(streams[0] == streams[1])
    }

    /// `av1C` may be its four fixed bytes, with the sequence header in the frames only, or hold other OBUs.
    @Test(arguments: [true, false]) func takesAV1sSequenceHeaderFromTheFrames(isEmpty: Bool) async throws {
        let made = try fixtures.makeMedia(
            "made.mp4", "-an -s 64x36 -r 10 -c:v libaom-av1 -cpu-used 8 -usage realtime -pix_fmt yuv420p")
        let nodes = BoxNode.parse(try Data(contentsOf: URL(filePath: made)))
        #expect(nodes.last?.type == "moov", "so that no sample moves")
        let changed = nodes.map { node in
            guard node.type == "moov" else { return node }
            return node.replacing("stsd") { descriptions in
                let entry = BoxNode.parse(descriptions.content.dropFirst(8))[0]
                let boxes = BoxNode.parse(entry.content.dropFirst(78)).map { box in
                    guard box.type == "av1C" else { return box }
                    let fixed = box.content.prefix(4)
                    // 7A is the head of a padding OBU.
                    return BoxNode("av1C", Array(isEmpty ? fixed : fixed + [0x7A] + box.content.dropFirst(5)))
                }
                let content = entry.content.prefix(78) + boxes.flatMap(\.bytes)
                return BoxNode("stsd", descriptions.content.prefix(8) + BoxNode("av01", Array(content)).bytes)
            }
        }
        let file = fixtures.path("without.mp4")
        try Data(changed.flatMap(\.bytes)).write(to: URL(filePath: file))
        let output = fixtures.path("out.mp4")
        let result = try await fixtures.work(.toMovie(output: output), on: file)
        #expect(result.copiedStreams == 1 && result.transcodedStreams == 0 && result.note == nil)
        let configurations = try [made, output].map {
            try MovieIndex.read(from: MediaFile(path: $0)).tracks.first?.configuration
        }
        #expect(configurations[0] != nil && configurations[0]?.rfc6381 == configurations[1]?.rfc6381)
    }

    @Test func keepsEveryAudioTrackWithItsLanguage() async throws {
        let file = try fixtures.makeMedia(
            "a.mkv",
            "-map 0:v -map 1:a -map 1:a -map 1:a -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a:0 ac3 -c:a:1 aac "
                + "-c:a:2 libvorbis -metadata:s:a:0 language=spa -metadata:s:a:1 language=eng "
                + "-metadata:s:a:2 language=fra")
        let output = fixtures.path("out.mp4")
        let result = try await fixtures.work(.toMovie(output: output), on: file)
        #expect(result.copiedStreams == 3 && result.transcodedStreams == 1)
        let streams = try fixtures.probe(
            output, "-select_streams a -show_entries stream=codec_name:stream_tags=language -of csv=p=0")
        let tags = streams.split(separator: "\n").map { $0.split(separator: ",").prefix(2).joined(separator: ",") }
        #expect(tags == ["ac3,spa", "aac,eng", "aac,fra"], "\(streams)")
    }

    /// A audio in a codec that nobody decodes is left out, unless it is the only one.
    @Test func leavesOutWhatNobodyDecodes() async throws {
        let file = try fixtures.makeMedia(
            "a.mkv",
            "-map 0:v -map 1:a -map 1:a -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a:0 aac -c:a:1 libvorbis")
        var bytes = try Data(contentsOf: URL(filePath: file))
        let name = try #require(bytes.firstRange(of: Data("A_VORBIS".utf8)))
        bytes.replaceSubrange(name, with: Data("A_XORBIS".utf8))
        try bytes.write(to: URL(filePath: file))
        let output = fixtures.path("out.mp4")
        let result = try await fixtures.work(.toMovie(output: output), on: file)
        #expect(result.copiedStreams == 2 && result.transcodedStreams == 0)
        #expect(try fixtures.probe(output, "-show_entries stream=codec_name -of csv=p=0") == "h264\naac\n")
    }

    @Test(arguments: [
        ("a.mp3", "-c:a libmp3lame", 1), ("a.flac", "-c:a flac", 1), ("a.ogg", "-c:a libopus", 1),
        ("a.wav", "-c:a pcm_s16le", 1), ("a.m4a", "-c:a aac", 0), ("a.aac", "-c:a aac", 0),
    ])
    func makesAACOfEveryKindOfTrack(name: String, codec: String, transcoded: Int) async throws {
        let file = try fixtures.makeMedia(name, "-vn -metadata artist=Someone \(codec)")
        let output = fixtures.path("out.m4a")
        let result = try await fixtures.work(.toAudioMovie(output: output), on: file)
        #expect(result.transcodedStreams == transcoded)
        #expect(result.copiedStreams == 1 - transcoded)
        let codecs = try fixtures.probe(output, "-show_entries stream=codec_name -of csv=p=0")
        #expect(codecs == "aac\n")
        if name != "a.aac" { #expect(result.description?.tags["artist"] == "Someone") }
    }

    @Test func turnsRotatedVideoUpright() async throws {
        let plain = try fixtures.makeMedia("plain.mkv", "-c:v mpeg4 -c:a aac")
        let rotated = fixtures.path("rotated.mov")
        try WorkerFixtures.run(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", plain, "-c", "copy", "-metadata:s:v:0", "rotate=90", rotated])
        let output = fixtures.path("out.mp4")
        _ = try await fixtures.work(.toMovie(output: output), on: rotated)
        let size = try fixtures.probe(output, "-select_streams v -show_entries stream=width,height -of csv=p=0")
        #expect(size == "180,320\n")
    }

    @Test func makesAPoster() async throws {
        let file = try fixtures.makeMedia("a.mp4", "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac")
        let output = fixtures.path("poster.jpg")
        _ = try await fixtures.work(.poster(output: output, width: 160), on: file)
        let size = try fixtures.probe(output, "-show_entries stream=codec_name,width,height -of csv=p=0")
        #expect(size == "mjpeg,160,90\n")
    }

    @Test func takesOutTheCover() async throws {
        let frame = fixtures.path("cover.png")
        try WorkerFixtures.run(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=red:size=64x64", "-frames:v", "1", frame])
        let track = fixtures.path("a.mp3")
        try WorkerFixtures.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine", "-i", frame, "-map", "0", "-map", "1", "-t",
                "1",
            ]
                + ["-c:v", "copy", "-disposition:v", "attached_pic", track])
        let result = try await fixtures.work(.cover(output: fixtures.path("art")), on: track)
        #expect(result.cover == .png)
        #expect(FileManager.default.contentsEqual(atPath: frame, andPath: fixtures.path("art.png")))
        #expect(result.description?.hasCoverImage == true)

        let bare = try fixtures.makeMedia("b.mp3", "-vn")
        #expect(try await fixtures.work(.cover(output: fixtures.path("none")), on: bare).cover == nil)
    }
}
