import HLSConformance

extension PresentationFixture {
    /// A low-latency playlist made by hand: segments of 2 s in parts of 0.5 s, which the last two segments still have.
    ///
    /// - Parameter openPartCount: of the segment behind the last.
    static func lowLatency(
        _ name: String, reporting other: String? = nil, first: Int = 0, count: Int = 10, openPartCount: Int = 2
    ) -> String {
        func part(_ segment: Int, _ index: Int) -> String {
            let independent = index == 0 ? ",INDEPENDENT=YES" : ""
            return "#EXT-X-PART:DURATION=0.50000,URI=\"\(name)-\(segment).\(index).m4s\"\(independent)\n"
        }
        let next = first + count
        let segments = (first..<next).map { number in
            (number < next - 2 ? "" : (0..<4).map { part(number, $0) }.joined())
                + "#EXTINF:2.00000,\n\(name)-\(number).m4s\n"
        }
        let open = (0..<openPartCount).map { part(next, $0) }.joined()
        let last = openPartCount > 0 ? (next, openPartCount - 1) : (next - 1, 3)
        let report = other.map { "#EXT-X-RENDITION-REPORT:URI=\"\($0)\",LAST-MSN=\(last.0),LAST-PART=\(last.1)\n" }
        return """
            #EXTM3U
            #EXT-X-VERSION:6
            #EXT-X-TARGETDURATION:2
            #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=12.0,HOLD-BACK=6.0,PART-HOLD-BACK=1.5
            #EXT-X-PART-INF:PART-TARGET=0.5
            #EXT-X-MEDIA-SEQUENCE:\(first)
            #EXT-X-DISCONTINUITY-SEQUENCE:0
            #EXT-X-MAP:URI="\(name)-init.mp4"
            #EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000Z
            \(segments.joined())\(open)#EXT-X-PRELOAD-HINT:TYPE=PART,URI="\(name)-\(next).\(openPartCount).m4s"
            \(report ?? "")
            """
    }

    /// A low-latency channel; segment 9 of its video is loaded, whole and in parts.
    static var lowLatency: PresentationFixture {
        var fixture = PresentationFixture.live
        fixture.hasFullWindow = true
        fixture.video = lowLatency("video", reporting: "audio.m3u8")
        fixture.audio = lowLatency("audio", reporting: "video.m3u8")
        for index in 0..<4 {
            let part = segment(
                decodeTime: 18_000 + 500 * UInt32(index), sampleDuration: 50, sampleCount: 10, sync: index == 0,
                byteCount: 1_000 + index)
            fixture.resources["video-9.\(index).m4s"] = part
            fixture.resources["video-9.m4s", default: []] += part
        }
        return fixture
    }
}
