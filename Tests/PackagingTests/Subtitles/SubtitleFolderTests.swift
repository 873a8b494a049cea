import Foundation
import HLSPlaylist
import MediaCore
import NIOCore
import Packaging
import TestSupport
import Testing

struct SubtitleFolderTests {
    private var now: WallClockTime { WallClock.system.now() }

    @Test func findsWhatBelongsToTheVideo() throws {
        let directory = try TemporaryDirectory(label: "subtitles")
        let names = [
            "film.srt", "film.es.srt", "film.pt-BR.vtt", "film.en.forced.vtt", "film.de.SDH.SRT", "film.part2.srt",
            "filme.srt", "film2.srt", "other.srt", "film.txt", "film.es.en.srt", "film..srt", "film.fr.default.srt",
        ]
        for name in names { try directory.write("1", to: name) }
        try directory.write("", to: "film.it.srt")
        let files = SubtitleFolder().files(besideVideoAt: try directory.write("", to: "film.mp4"), now: now)
        let found = Dictionary(
            uniqueKeysWithValues: files.map { ($0.path.split(separator: "/").last.map(String.init) ?? "", $0) })
        #expect(
            Set(found.keys) == [
                "film.srt", "film.es.srt", "film.pt-BR.vtt", "film.en.forced.vtt", "film.de.SDH.SRT",
                "film.fr.default.srt",
            ])
        #expect(found["film.srt"]?.language == nil)
        #expect(found["film.es.srt"]?.language?.text == "es")
        #expect(found["film.pt-BR.vtt"]?.language?.text == "pt-BR" && found["film.pt-BR.vtt"]?.format == .webVTT)
        #expect(found["film.en.forced.vtt"]?.isForced == true)
        #expect(found["film.de.SDH.SRT"]?.isForTheDeaf == true)
        #expect(found["film.fr.default.srt"]?.isDefault == true)
    }

    @Test func noticesWhatComesChangesAndGoes() throws {
        let directory = try TemporaryDirectory(label: "subtitles")
        let video = try directory.write("", to: "film.mp4")
        let folder = SubtitleFolder()
        #expect(folder.files(besideVideoAt: video, now: now).isEmpty)
        let path = try directory.write("1", to: "film.srt")
        let first = try #require(folder.files(besideVideoAt: video, now: now).first)
        try directory.write("changed", to: "film.srt")
        let second = try #require(folder.files(besideVideoAt: video, now: now).first)
        #expect(first != second)
        try FileManager.default.removeItem(atPath: path)
        #expect(folder.files(besideVideoAt: video, now: now).isEmpty)
    }

    @Test func aFolderThatIsNotThereHasNone() {
        #expect(SubtitleFolder().files(besideVideoAt: "/nowhere/film.mp4", now: now).isEmpty)
        #expect(SubtitleFolder().files(besideVideoAt: "film.mp4", now: now).isEmpty)
    }

    @Test func namesAndFlagsReachThePlaylist() async throws {
        let directory = try TemporaryDirectory(label: "subtitles")
        let video = try await MovieFixture.bFrames.path()
        let copy = try directory.file("film.mp4")
        try FileManager.default.copyItem(atPath: video, toPath: copy)
        for name in [
            "film.srt", "film.es.srt", "film.es.vtt", "film.es.forced.srt", "film.en.cc.srt", "film.fr.default.srt",
        ] {
            try directory.write("1\n00:00:01,000 --> 00:00:02,000\n\(name)\n", to: name)
        }
        let title = try ExportedTitle(fileAt: copy).title
        let tracks = SubtitleFolder().files(besideVideoAt: copy, now: now).map {
            SubtitleTrack(.file($0), of: title.file)
        }
        let renditions = SubtitleRenditions(tracks)
        let playlist = title.multivariantPlaylist(subtitles: renditions)
        let media = playlist.renditions.filter { $0.type == .subtitles }
        #expect(Set(media.map(\.name)).count == media.count && Set(media.map(\.uri)).count == media.count)
        #expect(playlist.variants.allSatisfy { $0.subtitlesGroupID == media.first?.groupID })
        #expect(media.filter(\.isDefault).map(\.language) == ["fr"])
        #expect(media.filter(\.isForced).map(\.name) == ["Español (forced)"])
        #expect(media.filter { !$0.characteristics.isEmpty }.map(\.name) == ["English (SDH)"])
        #expect(media.first { $0.language == "und" }?.name == "Subtitles")
        #expect(try MultivariantPlaylist(parsing: playlist.rendered()).renditions == playlist.renditions)
        // Every cue is in some segment, and the playlists span the title.
        for member in renditions.members {
            let list = title.subtitlePlaylist(of: member, version: "r1")
            let media = title.renditions[0].segments.count
            #expect(list.segments.count == media && list.hasEndList)
            let document = member.track.load()
            let shown = (0..<media).contains { index in
                title.subtitleSegment(index, of: document).map { String(buffer: $0).contains("film.") } ?? false
            }
            #expect(shown)
            #expect(title.subtitleSegment(media, of: document) == nil)
        }
    }
}
