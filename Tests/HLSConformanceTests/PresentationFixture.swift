import HLSConformance

/// A title that keeps every rule, made by hand; tests break one thing in it.
struct PresentationFixture {
    static let root = "http://127.0.0.1/vod/title/"

    var multivariant = """
        #EXTM3U
        #EXT-X-VERSION:6
        #EXT-X-INDEPENDENT-SEGMENTS
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Audio",LANGUAGE="und",DEFAULT=YES,AUTOSELECT=YES,URI="audio.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=16000,AVERAGE-BANDWIDTH=16000,CODECS="avc1.64001F,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=25.000,AUDIO="audio"
        video.m3u8

        """
    var video = Self.vod("video")
    var audio = Self.vod("audio")
    var videoSegments = Self.segments(sync: true)
    var audioSegments = Self.segments(sync: true)
    var videoEntry = "avc1"
    var contentType: String? = "application/vnd.apple.mpegurl"
    var segmentType = "video/mp4"
    var contentEncoding: String? = "gzip"
    var hasFullWindow = false
    /// More of what the video rendition's player loaded, by URI.
    var resources: [String: [UInt8]] = [:]

    static func vod(_ name: String) -> String {
        let segments = (0..<3).map { "#EXTINF:6.00000,\n\(name)-\($0).m4s\n" }.joined()
        return """
            #EXTM3U
            #EXT-X-VERSION:6
            #EXT-X-TARGETDURATION:6
            #EXT-X-MEDIA-SEQUENCE:0
            #EXT-X-PLAYLIST-TYPE:VOD
            #EXT-X-MAP:URI="\(name)-init.mp4"
            \(segments)#EXT-X-ENDLIST

            """
    }

    static func live(_ name: String, first: Int = 0, count: Int = 6, discontinuities: Set<Int> = []) -> String {
        let segments = (first..<(first + count)).map { number in
            (discontinuities.contains(number) ? "#EXT-X-DISCONTINUITY\n" : "")
                + "#EXTINF:2.00000,\n\(name)-\(number).m4s\n"
        }
        return """
            #EXTM3U
            #EXT-X-VERSION:6
            #EXT-X-TARGETDURATION:2
            #EXT-X-MEDIA-SEQUENCE:\(first)
            #EXT-X-DISCONTINUITY-SEQUENCE:0
            #EXT-X-MAP:URI="\(name)-init.mp4"
            #EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000Z
            \(segments.joined())
            """
    }

    /// Three segments of 6 s at 1000 ticks a second, each 6,000 bytes: 8,000 bit/s.
    static func segments(sync: Bool, start: UInt32 = 0) -> [[UInt8]] {
        (0..<3).map { segment(decodeTime: start + 6_000 * $0, sampleDuration: 40, sampleCount: 150, sync: sync) }
    }

    static func segment(
        decodeTime: UInt32, sampleDuration: UInt32, sampleCount: UInt32, sync: Bool, byteCount: Int = 6_000
    ) -> [UInt8] {
        let flags: UInt32 = sync ? 0x0200_0000 : 0x0101_0000
        let header = box("tfhd", integers(0x0002_0008, 1, sampleDuration))
        let time = box("tfdt", integers(0, decodeTime))
        let run = box("trun", integers(0x0000_0005, sampleCount, 0, flags))
        let fragment = box("moof", box("traf", header + time + run))
        return fragment + box("mdat", [UInt8](repeating: 0, count: byteCount - fragment.count - 8))
    }

    static func initializationSection(handler: String, entry: String) -> [UInt8] {
        let header = box("mdhd", integers(0, 0, 0, 1_000, 0, 0))
        let reference = box("hdlr", integers(0, 0) + Array(handler.utf8) + integers(0, 0, 0))
        let table = box("stsd", integers(0, 1) + box(entry, integers(0, 1)))
        let media = box("mdia", header + reference + box("minf", box("stbl", table)))
        let defaults = box("mvex", box("trex", integers(0, 1, 1, 0, 0, 0x0101_0000)))
        return box("moov", box("trak", media) + defaults)
    }

    static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
        integers(UInt32(payload.count + 8)) + Array(type.utf8) + payload
    }

    static func integers(_ values: UInt32...) -> [UInt8] {
        values.flatMap { value in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
    }

    private func load(_ name: String, _ text: String) -> PlaylistLoad {
        PlaylistLoad(
            url: Self.root + name, text: text, contentType: contentType, contentEncoding: contentEncoding)
    }

    private func rendition(_ name: String, _ text: String, _ segments: [[UInt8]], type: String) -> RenditionLoad {
        let isVideo = name == "video"
        var resources = [
            Self.root + "\(name)-init.mp4": ResourceLoad(
                bytes: Self.initializationSection(
                    handler: isVideo ? "vide" : "soun", entry: isVideo ? videoEntry : "mp4a"), contentType: type)
        ]
        for (index, bytes) in segments.enumerated() {
            resources[Self.root + "\(name)-\(index).m4s"] = ResourceLoad(bytes: bytes, contentType: type)
        }
        for (uri, bytes) in self.resources where isVideo {
            resources[Self.root + uri] = ResourceLoad(bytes: bytes, contentType: type)
        }
        return RenditionLoad(playlist: load("\(name).m3u8", text), resources: resources)
    }

    var presentation: Presentation {
        Presentation(
            multivariant: load("playlist.m3u8", multivariant),
            renditions: [
                rendition("video", video, videoSegments, type: segmentType),
                rendition("audio", audio, audioSegments, type: "audio/mp4"),
            ], hasFullWindow: hasFullWindow)
    }

    /// A channel whose segments are not loaded.
    static var live: PresentationFixture {
        var fixture = PresentationFixture()
        fixture.video = live("video")
        fixture.audio = live("audio")
        (fixture.videoSegments, fixture.audioSegments) = ([], [])
        return fixture
    }
}
