import Foundation
import HLSPlaylist
import ISOBMFF
import MediaCore
import NIOCore
import NIOPosix
import OfflineCopyFormat
import Packaging
import TestSupport
import Testing

@testable import HLSDelivery

/// The bytes of offline copies: what HLS serves, at the places that the index names.
@Suite(.timeLimit(.minutes(2))) struct CopyBytesTests {
    private static func title(_ fixture: MovieFixture, in directory: TemporaryDirectory) async throws -> PackagedTitle {
        let path = try directory.file("film.mp4")
        try FileManager.default.copyItem(atPath: try await fixture.path(), toPath: path)
        let file = try MediaFile(path: path)
        return try PackagedTitle(index: try MovieIndex.read(from: file), file: file)
    }

    /// All of a copy, read in pieces of an odd size.
    private static func whole(_ bytes: CopyBytes, piece: Int64 = 65_537) async throws -> [UInt8] {
        var whole: [UInt8] = []
        while Int64(whole.count) < bytes.byteCount {
            let start = Int64(whole.count)
            whole += try await bytes.read(start..<min(bytes.byteCount, start + piece))
        }
        return whole
    }

    private static func files(_ whole: [UInt8]) throws -> [String: ArraySlice<UInt8>] {
        let count = try CopyIndex.byteCount(header: Array(whole.prefix(CopyIndex.headerByteCount)))
        let index = try CopyIndex(parsing: Array(whole.dropFirst(CopyIndex.headerByteCount).prefix(count)))
        let ranges = try index.ranges(indexByteCount: count)
        #expect(ranges.values.map(\.upperBound).max() == Int64(whole.count))
        return ranges.mapValues { whole[Int($0.lowerBound)..<Int($0.upperBound)] }
    }

    @Test func aCopyHasWhatHLSServes() async throws {
        let directory = try TemporaryDirectory(label: "copy")
        let title = try await Self.title(.bFrames, in: directory)
        try directory.write("1\n00:00:01,000 --> 00:00:02,000\nHola\n", to: "film.es.srt")
        let tracks = SubtitleFolder().files(besideVideoAt: title.file.path, now: .unixEpoch).map {
            SubtitleTrack(.file($0), of: title.file)
        }
        let variants = TitleCopy.variants(of: title)
        #expect(variants.map { TitleCopy.name(of: $0) } == ["video"])
        let copy = try #require(TitleCopy("video", of: title, subtitles: SubtitleRenditions(tracks)))
        let bytes = CopyBytes(copy, revision: "r1", threadPool: .singleton)
        let whole = try await Self.whole(bytes)
        let files = try Self.files(whole)
        for rendition in title.renditions {
            let section = rendition.initializationSection()
            #expect(files["\(rendition.name)/init.mp4"].map(Array.init) == Array(section.readableBytesView))
            for number in rendition.segments.indices {
                let read = try title.segment(
                    number, of: rendition, allocator: ByteBufferAllocator(), cachedOnly: false)
                guard case .complete(let segment)? = read else {
                    Issue.record("no segment")
                    continue
                }
                #expect(
                    files["\(rendition.name)/\(number).m4s"].map(Array.init) == Array(segment.readableBytesView),
                    "\(rendition.name) \(number)")
            }
        }
        // Everything that the playlists name is there, and nothing else.
        var named: Set = ["playlist.m3u8"]
        let main = try MultivariantPlaylist(
            parsing: String(decoding: try #require(files["playlist.m3u8"]), as: UTF8.self))
        #expect(main.iFrameVariants.isEmpty && main.variants.count == 1)
        let uris = main.variants.map(\.uri) + main.renditions.compactMap(\.uri)
        for uri in uris {
            named.insert(uri)
            let text = String(decoding: try #require(files[uri]), as: UTF8.self)
            for line in text.split(separator: "\n") where !line.hasPrefix("#") { named.insert(String(line)) }
            if text.contains("init.mp4") { named.insert("\(uri.dropLast(".m3u8".count))/init.mp4") }
        }
        #expect(Set(files.keys) == named)
        #expect(
            files.contains { $0.key.hasSuffix(".vtt") && String(decoding: $0.value, as: UTF8.self).contains("Hola") })
        // Any range is a part of the whole.
        for range in [Int64(0)..<1, 15..<40, bytes.byteCount - 7..<bytes.byteCount, 100_000..<300_001] {
            #expect(try await bytes.read(range) == Array(whole[Int(range.lowerBound)..<Int(range.upperBound)]))
        }
    }

    @Test func theRevisionChangesWithSubtitlesAndTitle() async throws {
        let directory = try TemporaryDirectory(label: "copy")
        let title = try await Self.title(.noBFrames, in: directory)
        func revision(_ revision: String) throws -> String {
            let tracks = SubtitleFolder().files(besideVideoAt: title.file.path, now: .unixEpoch).map {
                SubtitleTrack(.file($0), of: title.file)
            }
            let copy = try #require(TitleCopy("video", of: title, subtitles: SubtitleRenditions(tracks)))
            return CopyBytes(copy, revision: revision, threadPool: .singleton).revision
        }
        let first = try revision("r1")
        #expect(try revision("r1") == first)
        #expect(try revision("r2") != first)
        try directory.write("1\n00:00:01,000 --> 00:00:02,000\nHola\n", to: "film.es.srt")
        let second = try revision("r1")
        try directory.write("1\n00:00:01,000 --> 00:00:02,000\nBuen\n", to: "film.es.srt")
        #expect(Set([first, second, try revision("r1")]).count == 3)
        #expect(TitleCopy("audio", of: title, subtitles: SubtitleRenditions([])) == nil)
        #expect(TitleCopy("none", of: title, subtitles: SubtitleRenditions([])) == nil)
    }

    @Test func audioAloneIsAVariantOfItsOwn() async throws {
        let directory = try TemporaryDirectory(label: "copy")
        let title = try await Self.title(.audioOnly, in: directory)
        #expect(TitleCopy.variants(of: title).map { TitleCopy.name(of: $0) } == ["audio"])
        let copy = try #require(TitleCopy("audio", of: title, subtitles: SubtitleRenditions([])))
        let files = try Self.files(try await Self.whole(CopyBytes(copy, revision: "r", threadPool: .singleton)))
        #expect(files["audio.m3u8"] != nil && files["audio/0.m4s"] != nil)
    }
}
