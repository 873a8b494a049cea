import Testing

@testable import Gateway

struct ProtocolDetectorTests {
    @Test(
        arguments: [
            ("OPTIONS rtsp://h/live/canalA.stream RTSP/1.0\r\n", .speaks(.rtsp)),
            ("OPTIONS * RTSP/1.0\r\n", .speaks(.rtsp)), ("OPTIONS * HTTP/1.1\r\n", .speaks(.http)),
            ("OPTIONS /api/v1/titles HTTP/1.1\r\n", .speaks(.http)), ("OPTIONS RTSP://H/x RTSP/1.0", .speaks(.rtsp)),
            ("OPTIONS http://h/ HTTP/1.1", .speaks(.http)), ("OPTIONS", .undecided), ("OPTIONS ", .undecided),
            ("OPTIONS *", .undecided), ("OPTIONS * ", .undecided), ("OPTIONS  *  RTSP/1.0", .speaks(.rtsp)),
            ("ANNOUNCE ", .speaks(.rtsp)), ("ANNOUNCE", .undecided), ("DESCRIBE rtsp://h/x", .speaks(.rtsp)),
            ("GET_PARAMETER x", .speaks(.rtsp)), ("GET ", .speaks(.http)), ("GET", .undecided), ("G", .undecided),
            ("POST /x HTTP/1.1", .speaks(.http)), ("BREW /pot HTTP/1.1", .speaks(.http)),
            ("M-SEARCH * HTTP/1.1", .speaks(.http)), ("announce rtsp://h", .speaks(.http)),
            ("\r\nRECORD rtsp://h", .speaks(.rtsp)), ("\r\n\r\nHEAD /", .speaks(.http)), ("\r\n", .undecided),
            ("", .undecided), ("$\u{0}\u{0}\u{4}", .speaks(.rtsp)), ("\u{16}\u{3}\u{1}", .unknown),
            ("\u{0}", .unknown), (" GET /", .unknown), ("GE\tT /", .unknown), ("<html>", .unknown),
            (String(repeating: "A", count: 63), .undecided), (String(repeating: "A", count: 64), .unknown),
            (String(repeating: "\r\n", count: 40), .unknown),
            ("OPTIONS" + String(repeating: " ", count: 80), .speaks(.http)),
        ] as [(String, ProtocolDetector.Verdict)])
    func tellsByTheFirstBytes(_ text: String, _ verdict: ProtocolDetector.Verdict) {
        #expect(ProtocolDetector.detect(Array(text.utf8)) == verdict)
    }

    /// A split request is detected like a whole one, only later.
    @Test(arguments: ["OPTIONS * RTSP/1.0\r\n\r\n", "SETUP rtsp://h RTSP/1.0\r\n", "GET / HTTP/1.1\r\n"])
    func neverChangesItsMind(_ text: String) {
        var decided: ProtocolDetector.Verdict?
        for count in 0...text.utf8.count {
            let verdict = ProtocolDetector.detect(Array(text.utf8.prefix(count)))
            if let decided { #expect(verdict == decided) }
            if verdict != .undecided { decided = verdict }
        }
        #expect(decided != nil && decided != .unknown)
    }
}
