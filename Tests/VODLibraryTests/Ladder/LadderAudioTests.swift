import Foundation
import HLSPlaylist
import MediaCore
import MediaWorkerTestSupport
import NIOCore
import Packaging
import Testing
import Transcoding

@testable import VODLibrary

/// A ladder whose lowest rendition has audio of its own.
struct LadderAudioTests {
    private static let rungs = [
        LadderRung(name: "low", width: 426, height: 240, frameRate: 25, bitRate: 400_000),
        LadderRung(
            name: "mobile", width: 320, height: 180, frameRate: 25, bitRate: 150_000, bandwidthLimit: 400_000),
    ]

    /// A film that is hard to encode, with noise in two languages: one as AAC with 320 kbit/s and as AC-3 with six
    /// channels, the other only as the latter.
    ///
    /// - Parameter delay: the time at which the audio begins, in seconds.
    private static func film(seconds: Double = 9, delay: Double = 0) throws -> LadderFixture {
        try LadderFixture(rungs: rungs) { path in
            try WorkerFixtures.run(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-f", "lavfi", "-i",
                    "testsrc2=size=640x360:rate=25:duration=\(seconds),noise=alls=40:allf=t", "-itsoffset", "\(delay)",
                    "-f", "lavfi", "-i", "anoisesrc=d=\(seconds - delay):r=48000:a=0.8,pan=5.1|c0=c0|c1=c0|c2=c0|c4=c0",
                    "-map", "0:v", "-map", "1:a", "-map", "1:a", "-map", "1:a", "-c:v", "libx264", "-preset",
                    "ultrafast", "-b:v", "3M", "-g", "50", "-pix_fmt", "yuv420p", "-c:a", "ac3", "-b:a", "448k",
                    "-c:a:0", "aac", "-ac:a:0", "2", "-b:a:0", "320k", "-metadata:s:a:0", "language=spa",
                    "-metadata:s:a:1",
                    "language=spa", "-metadata:s:a:2", "language=eng", path,
                ])
        }
    }

    @Test func theLowestRenditionIsBelowItsLimitWithAllLanguages() async throws {
        let fixture = try Self.film()
        let source = try fixture.title()
        #expect(source.audioMembers == [["audio", "audio-2"], ["audio-3"]])
        let manifest = try await fixture.make(audio: source.audioMembers)
        let title = try await source.adding(manifest.movies(in: fixture.folder))
        let playlist = title.multivariantPlaylist()
        let lowest = try #require(playlist.variants.min { $0.bandwidth < $1.bandwidth })
        #expect(lowest.bandwidth < 400_000 && title.lowestBandwidth < 400_000)
        #expect(lowest.uri.hasPrefix("mobile-"))
        #expect(lowest.codecs.contains("mp4a.40.2") && !lowest.codecs.contains("ac-3"))
        // It is the only one with this audio, and has no other; all others have the title's own.
        #expect(playlist.variants.count { $0.uri == lowest.uri } == 1)
        #expect(playlist.variants.count { $0.audioGroupID == lowest.audioGroupID } == 1)
        #expect(playlist.variants.count == 1 + 2 * 3)
        // The groups have the same members (rfc8216bis §4.4.6.1.1).
        func description(_ rendition: Rendition) -> String {
            "\(rendition.name) \(rendition.language ?? "") \(rendition.isDefault)"
        }
        let groups = Dictionary(grouping: playlist.renditions, by: \.groupID).mapValues { $0.map(description) }
        let members = try #require(groups[lowest.audioGroupID ?? ""])
        #expect(members == ["Español es true", "English en false"])
        #expect(groups.filter { !$0.key.hasSuffix("-compatible") }.values.allSatisfy { $0 == members })

        // Segments are cut where those of the video are, and hold the same seconds as the title's own audio.
        let audio = try #require(title.ladder?.audio.map(\.rendition))
        let own = try #require(title.rendition(named: "audio"))
        for rendition in audio {
            #expect(rendition.segments.count == own.segments.count)
            for index in own.segments.indices {
                #expect(abs(rendition.duration(ofSegment: index) - own.duration(ofSegment: index)) < 0.1)
            }
            #expect(abs(rendition.bitRate.average - LadderAudioEncoding.bitRate) < 16_000)
            #expect(title.storedSegment(0, of: rendition)?.byteCount == rendition.segments[0].byteCount)
        }
        // A copy for a device has this audio and no other.
        let copy = try #require(TitleCopy(TitleCopy.name(of: lowest), of: title, subtitles: SubtitleRenditions([])))
        let folders = Set(copy.files.map(\.path).filter { $0.hasSuffix(".m4s") }.map { $0.prefix { $0 != "/" } })
        #expect(folders == Set(([lowest.uri.dropLast(".m3u8".count)] + audio.map { $0.name[...] })))
        #expect(copy.files.indices.allSatisfy { copy.media(ofFile: $0)?.byteCount == copy.files[$0].byteCount })
        // MPEG-TS, in which the audio is part of the stream, stays below the limit, too.
        let streams = title.transportStreamMultivariantPlaylist().variants
        #expect(try #require(streams.map(\.bandwidth).min()) < 400_000)
        let name = try #require(streams.first { $0.uri.contains("mobile") }?.uri.dropLast(".m3u8".count))
        #expect(try title.transportStreamSegment(0, of: String(name)) != nil)
    }

    /// MPEG-TS does not carry AV1: it offers the film itself, which says nothing about the rendition.
    @Test func aRenditionThatMPEGTSLacksIsMeasuredByItself() async throws {
        let fixture = try Self.film(seconds: 2)
        let manifest = try await fixture.make(encoder: "libsvtav1", audio: [["audio", "audio-2"], ["audio-3"]])
        let title = try await fixture.title().adding(manifest.movies(in: fixture.folder))
        #expect(title.transportStreamMultivariantPlaylist().variants.map(\.uri) == ["ts.m3u8"])
        #expect(title.lowestBandwidth == title.multivariantPlaylist().variants.map(\.bandwidth).min())
    }

    /// The sound at a time is the same in both.
    @Test(arguments: [0, 1.5]) func theAudioIsHeardAtTheSameTime(delay: Double) async throws {
        let fixture = try Self.film(seconds: 4, delay: delay)
        let manifest = try await fixture.make(audio: [["audio-2"]])
        let title = try await fixture.title().adding(manifest.movies(in: fixture.folder))
        let audio = try #require(title.ladder?.audio.first?.rendition)
        let own = try #require(title.rendition(named: "audio-2"))
        let samples = try [own, audio].map { rendition -> [Float] in
            let path = fixture.files.path("\(rendition.name).mp4")
            var bytes = Array(rendition.initializationSection().readableBytesView)
            for index in rendition.segments.indices {
                let read = try title.segment(
                    index, of: rendition, allocator: ByteBufferAllocator(), cachedOnly: false)
                guard case .complete(let segment) = read else { throw CancellationError() }
                bytes += segment.readableBytesView
            }
            try Data(bytes).write(to: URL(filePath: path))
            try WorkerFixtures.run(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-copyts", "-i", path, "-af", "aresample=async=1:first_pts=0", "-ac",
                    "1", "-ar",
                    "8000", "-f", "f32le", path + ".raw",
                ])
            let raw = try Data(contentsOf: URL(filePath: path + ".raw"))
            return raw.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        }
        // Noise is like itself at one distance only.
        let range = 16_000..<24_000
        func likeness(_ shift: Int) -> Float { range.reduce(0) { $0 + samples[0][$1] * samples[1][$1 + shift] } }
        let best = try #require((-800...800).max { likeness($0) < likeness($1) })
        #expect(abs(best) <= 40, "\(Double(best) / 8) ms apart")
    }
}
