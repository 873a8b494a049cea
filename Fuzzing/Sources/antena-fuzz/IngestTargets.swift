import NIOCore

@testable import WebIngest

extension FuzzTarget {
    static let ingestTargets = [
        // The first message announces tracks; the others are for them.
        FuzzTarget(name: "ingest", seeds: seeds) { bytes in
            var pieces = InputSplitter(bytes)
            guard let text = pieces.next(), let hello = try? IngestHello(String(decoding: text, as: UTF8.self)) else {
                return
            }
            var tracks: [UInt8: IngestTrack] = [:]
            for track in hello.tracks { tracks[track.number] = try? IngestTrack(track) }
            while let piece = pieces.next() {
                guard let frame = try? IngestFrame(ByteBuffer(bytes: piece)) else { continue }
                switch frame.kind {
                case .configuration: try? tracks[frame.track]?.configure(frame.content)
                case .frame: _ = try? tracks[frame.track]?.unit(frame)
                }
            }
        }
    ]

    private static let seeds = [
        ("avc1.42c01e", "mp4a.40.2"), ("hvc1.1.6.L93.B0", "opus"), ("vp09.00.10.08", "opus"), ("vp8", "opus"),
    ].map { video, audio in
        InputSplitter.join([
            Array(hello(video, audio).utf8), message(1, 0, record), message(1, 1, [0x11, 0x90]),
            message(2, 0, [0, 0, 0, 2, 0x65, 0x88]), message(2, 1, [0xFC, 1, 2]), message(2, 1, [0x21, 0x10, 4]),
        ])
    }

    private static func hello(_ video: String, _ audio: String) -> String {
        """
        {"type":"hello","tracks":[{"id":0,"codec":"\(video)"},\
        {"id":1,"codec":"\(audio)","sampleRate":48000,"channels":2}]}
        """
    }

    /// An AVCDecoderConfigurationRecord of 320x180.
    private static let record: [UInt8] = [
        1, 0x42, 0xC0, 0x0D, 0xFF, 0xE1, 0, 13, 0x67, 0x42, 0xC0, 0x0D, 0xD9, 0x01, 0x41, 0xFB, 0x01, 0x10, 0, 0, 3,
        1, 0, 4, 0x68, 0xCB, 0x83, 0xCB,
    ]

    private static func message(_ kind: UInt8, _ track: UInt8, _ content: [UInt8]) -> [UInt8] {
        [kind, track, 1, 0] + [0, 0, 0, 0, 0, 0, 0x80, 0] + [0, 0, 0x82, 0x35] + content
    }
}
