import Codecs
import HLSPlaylist
import ISOBMFF
import MediaCore
import NIOCore

@testable import SRTServer
@testable import StreamRelays

/// What other servers send to a channel that is fetched from them, and what a caller by SRT says of itself.
extension FuzzTarget {
    static let relayTargets = [
        FuzzTarget(name: "hls-playlist", seeds: playlists.map { Array($0.utf8) }) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            _ = try? MediaPlaylist(parsing: text)
            _ = try? MultivariantPlaylist(parsing: text)
        },
        FuzzTarget(name: "fragmented-segment", seeds: segments) { bytes in
            var pieces = InputSplitter(bytes)
            guard let initialization = pieces.next() else { return }
            var segment = ByteBuffer()
            while let piece = pieces.next() { segment.writeBytes(piece) }
            _ = try? FragmentedSegment(ByteBuffer(bytes: initialization), segment)
        },
        FuzzTarget(name: "srt-streamid", seeds: streamIDs.map { Array($0.utf8) }) { bytes in
            _ = SRTStreamID(String(decoding: bytes, as: UTF8.self))
        },
    ]

    private static let streamIDs = [
        "publish:canalA:ana:secret", "#!::r=canalA,m=publish,u=ana,s=secret", "publish:canalA?link=abc&preset=high",
    ]

    private static let playlists = [
        """
        #EXTM3U
        #EXT-X-VERSION:9
        #EXT-X-TARGETDURATION:2
        #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=12,PART-HOLD-BACK=1.5
        #EXT-X-PART-INF:PART-TARGET=0.5
        #EXT-X-MEDIA-SEQUENCE:3
        #EXT-X-MAP:URI="init.mp4",BYTERANGE="100@0"
        #EXT-X-KEY:METHOD=AES-128,URI="key",IV=0x00000000000000000000000000000001
        #EXT-X-PROGRAM-DATE-TIME:2026-11-29T12:00:00.000Z
        #EXTINF:2.000,title
        #EXT-X-BYTERANGE:1000@100
        a.m4s
        #EXT-X-DISCONTINUITY
        #EXT-X-DATERANGE:ID="1",START-DATE="2026-11-29T12:00:00Z",DURATION=3
        #EXT-X-PART:DURATION=0.5,URI="b.0.m4s",INDEPENDENT=YES
        #EXT-X-PRELOAD-HINT:TYPE=PART,URI="b.1.m4s"
        """,
        """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="x",LANGUAGE="es",URI="audio.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.42c01e,mp4a.40.2",RESOLUTION=320x180,AUDIO="a"
        video.m3u8
        """,
    ]

    /// An initialization section of AAC and a fragment of two samples.
    private static let segments: [[UInt8]] = {
        guard let configuration = try? AACConfiguration(parsingAudioSpecificConfig: [0x11, 0x90]) else { return [] }
        let track = Track(id: 1, mediaType: .audio, timescale: Timescale(48_000))
        let section = MediaInitializationSection(track: track, configuration: .aac(configuration)).rendered()
        let fragment: [UInt8] =
            box("styp", Array("msdh".utf8) + [0, 0, 0, 0])
            + box(
                "moof",
                box("mfhd", [0, 0, 0, 0, 0, 0, 0, 1])
                    + box(
                        "traf",
                        box("tfhd", [0, 2, 0, 0, 0, 0, 0, 1]) + box("tfdt", [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0])
                            + box(
                                "trun",
                                [0, 0, 3, 1, 0, 0, 0, 2, 0, 0, 0, 104] + [0, 0, 4, 0, 0, 0, 0, 4]
                                    + [0, 0, 4, 0, 0, 0, 0, 4])))
            + box("mdat", [1, 2, 3, 4, 5, 6, 7, 8])
        return [InputSplitter.join([Array(section.readableBytesView), fragment])]
    }()

    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let count = UInt32(content.count + 8)
        return withUnsafeBytes(of: count.bigEndian) { Array($0) } + Array(type.utf8) + content
    }
}
