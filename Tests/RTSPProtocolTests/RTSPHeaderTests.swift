import Testing

@testable import RTSPProtocol

struct RTSPHeaderTests {
    @Test(arguments: [
        ("RTP/AVP/TCP;unicast;interleaved=0-1;mode=record", "RTP/AVP/TCP;unicast;interleaved=0-1;mode=record"),
        ("RTP/AVP/TCP;unicast;interleaved=4", "RTP/AVP/TCP;unicast;interleaved=4-5"),
        (
            "RTP/AVP/UDP;unicast;client_port=5000-5001;mode=receive",
            "RTP/AVP/UDP;unicast;client_port=5000-5001;mode=receive"
        ),
        ("RTP/AVP;unicast;client_port=5000;mode=\"RECORD\"", "RTP/AVP/UDP;unicast;client_port=5000-5001;mode=record"),
        (
            "RTP/AVP;client_port=1-2;server_port=3-4;ssrc=0000ABCD;x=y",
            "RTP/AVP/UDP;unicast;client_port=1-2;server_port=3-4;ssrc=0000ABCD"
        ),
    ])
    func readsAndWritesTransports(text: String, rendered: String) {
        #expect(RTSPTransport.offers(parsing: text).map(\.rendered) == [rendered])
        #expect(RTSPTransport.offers(parsing: rendered).map(\.rendered) == [rendered])
    }

    @Test(arguments: [
        "", ";", "RTP/SAVP;unicast", "RTP/AVP;client_port=x", "RTP/AVP;client_port=0-1", "RTP/AVP;client_port=70000",
        "RTP/AVP;client_port=65535", "RTP/AVP/TCP;interleaved=255", "RTP/AVP/TCP;interleaved=256-257",
        "RTP/AVP/TCP;interleaved=3-3", "RTP/AVP/TCP;interleaved=", "RTP/AVP/TCP;interleaved",
    ])
    func leavesOutOffersThatCannotBeMeant(text: String) {
        #expect(RTSPTransport.offers(parsing: text).isEmpty)
    }

    @Test func keepsTheOrderOfOffers() {
        let offers = RTSPTransport.offers(parsing: "RAW/RAW/UDP, RTP/AVP;client_port=2-3 ,RTP/AVP/TCP;interleaved=0-1")
        #expect(offers.map(\.lowerTransport) == [.udp, .tcp])
    }

    @Test(arguments: [
        ("rtsp://host:8554/live/canalA.stream", "/live/canalA.stream", nil as String?),
        ("RTSP://u:p@host/live/canalA.stream/", "/live/canalA.stream", nil),
        ("rtsp://host/live/a.stream?preset=high&x=1", "/live/a.stream", "high"),
        ("rtsp://host/live/a.stream?preset=high/streamid=0", "/live/a.stream", "high"),
        ("/live/a.stream", "/live/a.stream", nil), ("rtsp://host", "", nil), ("rtsp://[::1]:5/x", "/x", nil),
    ])
    func readsURLs(text: String, path: String, preset: String?) {
        let url = RTSPURL(parsing: text)
        #expect(url?.path == path)
        #expect(url?.queryValue("preset") == preset)
    }

    @Test(arguments: ["*", "", "http://h/x", "live/a.stream"])
    func refusesWhatIsNoURL(text: String) { #expect(RTSPURL(parsing: text) == nil) }

    @Test(arguments: [
        ("rtsp://h/live/a.stream/streamid=0", TrackControl.Match.track(0)),
        ("rtsp://other:99/live/a.stream/streamid=0/", .track(0)),
        ("rtsp://h/live/a.stream?preset=high/streamid=0", .track(0)),
        ("rtsp://h/live/a.stream/streamid=0?preset=high", .track(0)),
        ("rtsp://h/abs/two", .track(1)),
        ("rtsp://h/live/a.stream/trackID=2", .track(2)),
        ("rtsp://h/live/a.stream", .aggregate), ("rtsp://h/live/a.stream/?preset=high", .aggregate),
        ("rtsp://h/live/a.stream/streamid=9", .none), ("rtsp://h/live/b.stream/streamid=0", .none),
        ("rtsp://h/live/a.stream/trackID=-1", .none), ("*", .none),
    ])
    func findsTheTrackThatASetupMeans(uri: String, expected: TrackControl.Match) throws {
        let control = TrackControl(
            base: try #require(RTSPURL(parsing: "rtsp://h/live/a.stream?preset=high")),
            controls: ["streamid=0", "rtsp://h/abs/two", nil])
        #expect(control.match(uri) == expected)
    }

    static let queried = ["rtsp://h/live/a.stream?preset=high", "rtsp://h/live/a.stream", "rtsp://h:8554", "rtsp://h/"]

    /// Control URLs as ffmpeg, GStreamer and other clients build them from a URL with a query.
    @Test(arguments: queried, ["trackID=1", "streamid=1", "stream=1"])
    func findsTheTrackWhereverTheQueryIs(text: String, control: String) throws {
        let base = try #require(RTSPURL(parsing: text))
        let first = String(control.dropLast()) + "0"
        let trackControl = TrackControl(base: base, controls: [first, control])
        let path = "rtsp://h" + base.path
        for uri in [
            path + "/" + control, path + "/" + control + "?preset=high", path + "?preset=high/" + control,
            path + "?preset=high/" + control + "/", path + "/" + control + "/",
        ] {
            #expect(trackControl.match(uri) == .track(1), "\(uri)")
            #expect(RTSPURL(parsing: uri)?.withoutTrack.path == base.path, "\(uri)")
        }
        #expect(trackControl.match(text) == .aggregate)
    }

    @Test func tracksWithoutControlAreCalledByNumberWhereverTheQueryIs() throws {
        let base = try #require(RTSPURL(parsing: "rtsp://h/live/a.stream?preset=high"))
        let control = TrackControl(base: base, controls: [nil, nil])
        for uri in ["/trackID=1", "/trackID=1?preset=high", "?preset=high/trackID=1"] {
            #expect(control.match("rtsp://h/live/a.stream" + uri) == .track(1), "\(uri)")
        }
        #expect(control.match("rtsp://h/live/a.stream/x/trackID=1") == .none)
    }

    @Test func absoluteControlsMayDifferInNothingButTheirQuery() throws {
        let control = TrackControl(
            base: try #require(RTSPURL(parsing: "rtsp://h/cam")),
            controls: ["rtsp://h/cam?track=0", "rtsp://h/cam?track=1", "/other/trackID=2"])
        #expect(control.match("rtsp://h/cam?track=1") == .track(1))
        #expect(control.match("rtsp://h/other/trackID=2?x=y") == .track(2))
        #expect(control.match("rtsp://h/cam") == .aggregate)
    }

    @Test(arguments: [
        ("rtsp://h/live/a.stream/trackID=0", "/live/a.stream", nil as String?),
        ("rtsp://h/live/a.stream?x=y/streamid=12", "/live/a.stream", "x=y"),
        ("rtsp://h/live/a.stream?/streamid=12", "/live/a.stream", nil),
        ("rtsp://h/vod/a=b", "/vod/a=b", nil), ("rtsp://h/vod/=1", "/vod/=1", nil), ("rtsp://h", "", nil),
    ])
    func takesTracksOffURLs(text: String, path: String, query: String?) {
        let url = RTSPURL(parsing: text)?.withoutTrack
        #expect(url?.path == path && url?.query == query)
    }

    @Test(arguments: [
        (nil as String?, true), ("", true), ("application/sdp", true), ("text/x, Application/SDP;level=1", true),
        ("*/*", true), ("application/*;q=0.1", true), ("application/sdp;q=0", false), ("text/plain", false),
        ("application/sdpx", false), ("application/sdp; q=0.000", false), ("application/sdp;q=x", true),
    ])
    func readsAccept(value: String?, isWelcome: Bool) {
        #expect(AcceptHeader(value: value).allowsSessionDescription == isWelcome)
    }

    @Test func findsAllFieldsOfAName() {
        var headers: RTSPHeaders = ["A": "1", "b": "2", "a": "3"]
        #expect(headers.values(of: "A") == ["1", "3"])
        headers["a"] = nil
        #expect(headers.values(of: "A").isEmpty)
    }
}
