/// Requests of real clients to this state machine over loopback, byte for byte, with the nonce and the session ID that
/// they were given; the digests are the clients' own. User ana, password sesame. Debian 12, November 2026.
struct CapturedConversation {
    var nonce: String
    var sessionID: String
    /// The requests, with LF instead of CRLF.
    var requests: [String]

    static let all = [ffmpegPublishing, gstreamerPublishing, ffmpegReading, gstreamerReading]

    /// `ffmpeg -f rtsp -rtsp_transport tcp rtsp://ana:sesame@…?preset=high`, ffmpeg 5.1
    static let ffmpegPublishing = CapturedConversation(
        nonce: "a70520ef1ed4cf193f5e569dd3b912fa", sessionID: "8352167901841106882",
        requests: [
            """
            OPTIONS rtsp://127.0.0.1:28554/live/canalA.stream?preset=high RTSP/1.0
            CSeq: 1
            User-Agent: Lavf59.27.100


            """,
            """
            ANNOUNCE rtsp://127.0.0.1:28554/live/canalA.stream?preset=high RTSP/1.0
            Content-Type: application/sdp
            CSeq: 2
            User-Agent: Lavf59.27.100
            Content-Length: 495

            v=0
            o=- 0 0 IN IP4 127.0.0.1
            s=No Name
            c=IN IP4 127.0.0.1
            t=0 0
            a=tool:libavformat LIBAVFORMAT_VERSION
            m=video 0 RTP/AVP 96
            a=rtpmap:96 H264/90000
            a=fmtp:96 packetization-mode=1; sprop-parameter-sets=Z/QAC5GWgUH7ARAAAAMAEAAAAwFA8UKq,aM4PGSA=; \
            profile-level-id=F4000B
            a=control:streamid=0
            m=audio 0 RTP/AVP 97
            b=AS:69
            a=rtpmap:97 MPEG4-GENERIC/44100/1
            a=fmtp:97 profile-level-id=1;mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3; \
            config=120856E500
            a=control:streamid=1

            """,
            """
            ANNOUNCE rtsp://127.0.0.1:28554/live/canalA.stream?preset=high RTSP/1.0
            Content-Type: application/sdp
            CSeq: 3
            User-Agent: Lavf59.27.100
            Session: 8352167901841106882
            Authorization: Digest username="ana", realm="Antena", nonce="a70520ef1ed4cf193f5e569dd3b912fa", \
            uri="rtsp://127.0.0.1:28554/live/canalA.stream?preset=high", \
            response="6aace073f208d5b623f43a02d2a05f22"
            Content-Length: 495

            v=0
            o=- 0 0 IN IP4 127.0.0.1
            s=No Name
            c=IN IP4 127.0.0.1
            t=0 0
            a=tool:libavformat LIBAVFORMAT_VERSION
            m=video 0 RTP/AVP 96
            a=rtpmap:96 H264/90000
            a=fmtp:96 packetization-mode=1; sprop-parameter-sets=Z/QAC5GWgUH7ARAAAAMAEAAAAwFA8UKq,aM4PGSA=; \
            profile-level-id=F4000B
            a=control:streamid=0
            m=audio 0 RTP/AVP 97
            b=AS:69
            a=rtpmap:97 MPEG4-GENERIC/44100/1
            a=fmtp:97 profile-level-id=1;mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3; \
            config=120856E500
            a=control:streamid=1

            """,
            """
            SETUP rtsp://127.0.0.1:28554/live/canalA.stream?preset=high/streamid=0 RTSP/1.0
            Transport: RTP/AVP/TCP;unicast;interleaved=0-1;mode=record
            CSeq: 4
            User-Agent: Lavf59.27.100
            Session: 8352167901841106882
            Authorization: Digest username="ana", realm="Antena", nonce="a70520ef1ed4cf193f5e569dd3b912fa", \
            uri="rtsp://127.0.0.1:28554/live/canalA.stream?preset=high/streamid=0", \
            response="725ff31c5266d287d5015e97d70b8a75"


            """,
            """
            SETUP rtsp://127.0.0.1:28554/live/canalA.stream?preset=high/streamid=1 RTSP/1.0
            Transport: RTP/AVP/TCP;unicast;interleaved=2-3;mode=record
            CSeq: 5
            User-Agent: Lavf59.27.100
            Session: 8352167901841106882
            Authorization: Digest username="ana", realm="Antena", nonce="a70520ef1ed4cf193f5e569dd3b912fa", \
            uri="rtsp://127.0.0.1:28554/live/canalA.stream?preset=high/streamid=1", \
            response="8a116d373a401ec4c9f1f64a0799e2ba"


            """,
            """
            RECORD rtsp://127.0.0.1:28554/live/canalA.stream?preset=high RTSP/1.0
            Range: npt=0.000-
            CSeq: 6
            User-Agent: Lavf59.27.100
            Session: 8352167901841106882
            Authorization: Digest username="ana", realm="Antena", nonce="a70520ef1ed4cf193f5e569dd3b912fa", \
            uri="rtsp://127.0.0.1:28554/live/canalA.stream?preset=high", \
            response="c0c65f9ea2cfbcb1cedbcaf90e79314a"


            """,
            """
            TEARDOWN rtsp://127.0.0.1:28554/live/canalA.stream?preset=high RTSP/1.0
            CSeq: 7
            User-Agent: Lavf59.27.100
            Session: 8352167901841106882
            Authorization: Digest username="ana", realm="Antena", nonce="a70520ef1ed4cf193f5e569dd3b912fa", \
            uri="rtsp://127.0.0.1:28554/live/canalA.stream?preset=high", \
            response="2dc86a0138be90294c0a8b5c6333ba1c"


            """,
        ])

    /// `rtspclientsink location=rtsp://ana:sesame@…?preset=high protocols=tcp`, GStreamer 1.22: the query follows the
    /// control attribute, and PAUSE precedes TEARDOWN.
    static let gstreamerPublishing = CapturedConversation(
        nonce: "f762d0ff6cb2ddc93da91c138905068b", sessionID: "5824676299334047815",
        requests: [
            """
            OPTIONS rtsp://127.0.0.1:28555/live/canalA.stream?preset=high RTSP/1.0
            CSeq: 1
            User-Agent: GStreamer/1.22.0
            Date: Sat, 21 Nov 2026 12:25:54 GMT


            """,
            """
            ANNOUNCE rtsp://127.0.0.1:28555/live/canalA.stream?preset=high RTSP/1.0
            CSeq: 2
            User-Agent: GStreamer/1.22.0
            Content-Type: application/sdp
            Date: Sat, 21 Nov 2026 12:25:54 GMT
            Content-Length: 652

            v=0
            o=- 2362257092 1 IN IP4 127.0.0.1
            s=Session streamed with GStreamer
            i=rtspclientsink
            t=0 0
            a=tool:GStreamer
            m=audio 0 RTP/AVP 96
            c=IN IP4 0.0.0.0
            b=AS:70
            a=rtpmap:96 MP4A-LATM/44100
            a=fmtp:96 cpresent=0;config=40002410adca00
            a=control:stream=1
            a=ts-refclk:local
            a=mediaclk:sender
            a=ssrc:1154972594 cname:user1845167817@host-00000000
            m=video 0 RTP/AVP 99
            c=IN IP4 0.0.0.0
            b=AS:53
            a=rtpmap:99 H264/90000
            a=framerate:10
            a=fmtp:99 packetization-mode=1;sprop-parameter-sets=Z/QADJGbKCg/YCIAAAMAAgAAAwAoHihTLA==,aOvjxEhE
            a=control:stream=0
            a=ts-refclk:local
            a=mediaclk:sender
            a=ssrc:1994583544 cname:user1845167817@host-00000000

            """,
            """
            ANNOUNCE rtsp://127.0.0.1:28555/live/canalA.stream?preset=high RTSP/1.0
            CSeq: 3
            User-Agent: GStreamer/1.22.0
            Content-Type: application/sdp
            Session: 5824676299334047815
            Authorization: Digest username="ana", realm="Antena", nonce="f762d0ff6cb2ddc93da91c138905068b", \
            uri="rtsp://127.0.0.1:28555/live/canalA.stream?preset=high", \
            response="1e698496cddf22633568f0b40bcb7541"
            Date: Sat, 21 Nov 2026 12:25:54 GMT
            Content-Length: 652

            v=0
            o=- 2362257092 1 IN IP4 127.0.0.1
            s=Session streamed with GStreamer
            i=rtspclientsink
            t=0 0
            a=tool:GStreamer
            m=audio 0 RTP/AVP 96
            c=IN IP4 0.0.0.0
            b=AS:70
            a=rtpmap:96 MP4A-LATM/44100
            a=fmtp:96 cpresent=0;config=40002410adca00
            a=control:stream=1
            a=ts-refclk:local
            a=mediaclk:sender
            a=ssrc:1154972594 cname:user1845167817@host-00000000
            m=video 0 RTP/AVP 99
            c=IN IP4 0.0.0.0
            b=AS:53
            a=rtpmap:99 H264/90000
            a=framerate:10
            a=fmtp:99 packetization-mode=1;sprop-parameter-sets=Z/QADJGbKCg/YCIAAAMAAgAAAwAoHihTLA==,aOvjxEhE
            a=control:stream=0
            a=ts-refclk:local
            a=mediaclk:sender
            a=ssrc:1994583544 cname:user1845167817@host-00000000

            """,
            """
            SETUP rtsp://127.0.0.1:28555/live/canalA.stream/stream=1?preset=high RTSP/1.0
            CSeq: 4
            User-Agent: GStreamer/1.22.0
            Transport: RTP/AVP/TCP;unicast;interleaved=0-1;mode=RECORD
            Session: 5824676299334047815
            Authorization: Digest username="ana", realm="Antena", nonce="f762d0ff6cb2ddc93da91c138905068b", \
            uri="rtsp://127.0.0.1:28555/live/canalA.stream/stream=1?preset=high", \
            response="e0d2a585ee2488064d3e85e447290c4e"
            Date: Sat, 21 Nov 2026 12:25:54 GMT


            """,
            """
            SETUP rtsp://127.0.0.1:28555/live/canalA.stream/stream=0?preset=high RTSP/1.0
            CSeq: 5
            User-Agent: GStreamer/1.22.0
            Transport: RTP/AVP/TCP;unicast;interleaved=2-3;mode=RECORD
            Session: 5824676299334047815
            Authorization: Digest username="ana", realm="Antena", nonce="f762d0ff6cb2ddc93da91c138905068b", \
            uri="rtsp://127.0.0.1:28555/live/canalA.stream/stream=0?preset=high", \
            response="fa7e13413283a8291385795790edcf70"
            Date: Sat, 21 Nov 2026 12:25:54 GMT


            """,
            """
            RECORD rtsp://127.0.0.1:28555/live/canalA.stream?preset=high RTSP/1.0
            CSeq: 6
            User-Agent: GStreamer/1.22.0
            Session: 5824676299334047815
            Authorization: Digest username="ana", realm="Antena", nonce="f762d0ff6cb2ddc93da91c138905068b", \
            uri="rtsp://127.0.0.1:28555/live/canalA.stream?preset=high", \
            response="feb805a8552995f2b154feecd4a4652c"
            Date: Sat, 21 Nov 2026 12:25:54 GMT


            """,
            """
            PAUSE rtsp://127.0.0.1:28555/live/canalA.stream?preset=high RTSP/1.0
            CSeq: 7
            User-Agent: GStreamer/1.22.0
            Session: 5824676299334047815
            Authorization: Digest username="ana", realm="Antena", nonce="f762d0ff6cb2ddc93da91c138905068b", \
            uri="rtsp://127.0.0.1:28555/live/canalA.stream?preset=high", \
            response="ad205cf43d24190562e27ecf40d180a1"
            Date: Sat, 21 Nov 2026 12:25:55 GMT


            """,
            """
            TEARDOWN rtsp://127.0.0.1:28555/live/canalA.stream?preset=high RTSP/1.0
            CSeq: 8
            User-Agent: GStreamer/1.22.0
            Session: 5824676299334047815
            Authorization: Digest username="ana", realm="Antena", nonce="f762d0ff6cb2ddc93da91c138905068b", \
            uri="rtsp://127.0.0.1:28555/live/canalA.stream?preset=high", \
            response="3b096172d49fe309251cc2f5094fb4d7"
            Date: Sat, 21 Nov 2026 12:25:55 GMT


            """,
        ])

    /// `ffmpeg -rtsp_transport tcp -i rtsp://ana:sesame@…?token=x`, ffmpeg 5.1.
    static let ffmpegReading = CapturedConversation(
        nonce: "31a824d1e31ecea818dfd0453830c55a", sessionID: "9052617178547256931",
        requests: [
            """
            OPTIONS rtsp://127.0.0.1:28554/live/canalA.stream?token=x RTSP/1.0
            CSeq: 1
            User-Agent: Lavf59.27.100


            """,
            """
            DESCRIBE rtsp://127.0.0.1:28554/live/canalA.stream?token=x RTSP/1.0
            Accept: application/sdp
            CSeq: 2
            User-Agent: Lavf59.27.100


            """,
            """
            DESCRIBE rtsp://127.0.0.1:28554/live/canalA.stream?token=x RTSP/1.0
            Accept: application/sdp
            CSeq: 3
            User-Agent: Lavf59.27.100
            Authorization: Digest username="ana", realm="Antena", nonce="31a824d1e31ecea818dfd0453830c55a", \
            uri="rtsp://127.0.0.1:28554/live/canalA.stream?token=x", response="282f9ca416c79008519df1a9a41ae332"


            """,
            """
            SETUP rtsp://127.0.0.1:28554/live/canalA.stream/trackID=0 RTSP/1.0
            Transport: RTP/AVP/TCP;unicast;interleaved=0-1
            CSeq: 4
            User-Agent: Lavf59.27.100
            Authorization: Digest username="ana", realm="Antena", nonce="31a824d1e31ecea818dfd0453830c55a", \
            uri="rtsp://127.0.0.1:28554/live/canalA.stream/trackID=0", \
            response="57118aa366c961683d8e00b9de2a8730"


            """,
            """
            SETUP rtsp://127.0.0.1:28554/live/canalA.stream/trackID=1 RTSP/1.0
            Transport: RTP/AVP/TCP;unicast;interleaved=2-3
            CSeq: 5
            User-Agent: Lavf59.27.100
            Session: 9052617178547256931
            Authorization: Digest username="ana", realm="Antena", nonce="31a824d1e31ecea818dfd0453830c55a", \
            uri="rtsp://127.0.0.1:28554/live/canalA.stream/trackID=1", \
            response="34cb7c7154dc2794789bfd4f1982a85a"


            """,
            """
            PLAY rtsp://127.0.0.1:28554/live/canalA.stream/ RTSP/1.0
            Range: npt=0.000-
            CSeq: 6
            User-Agent: Lavf59.27.100
            Session: 9052617178547256931
            Authorization: Digest username="ana", realm="Antena", nonce="31a824d1e31ecea818dfd0453830c55a", \
            uri="rtsp://127.0.0.1:28554/live/canalA.stream/", response="5bc6f72c501af47deeeea41ca714345c"


            """,
            """
            TEARDOWN rtsp://127.0.0.1:28554/live/canalA.stream/ RTSP/1.0
            CSeq: 7
            User-Agent: Lavf59.27.100
            Session: 9052617178547256931
            Authorization: Digest username="ana", realm="Antena", nonce="31a824d1e31ecea818dfd0453830c55a", \
            uri="rtsp://127.0.0.1:28554/live/canalA.stream/", response="a4b771dac092d1413ed478879ff9fec3"


            """,
        ])

    /// `rtspsrc location=rtsp://ana:sesame@…?token=x protocols=tcp`, GStreamer 1.22.
    static let gstreamerReading = CapturedConversation(
        nonce: "4cdbb6eead79d67f4691be9100fda0b5", sessionID: "1305470448394400589",
        requests: [
            """
            OPTIONS rtsp://127.0.0.1:28554/live/canalA.stream?token=x RTSP/1.0
            CSeq: 1
            User-Agent: GStreamer/1.22.0
            Date: Sat, 21 Nov 2026 12:25:20 GMT


            """,
            """
            DESCRIBE rtsp://127.0.0.1:28554/live/canalA.stream?token=x RTSP/1.0
            CSeq: 2
            User-Agent: GStreamer/1.22.0
            Accept: application/sdp
            Date: Sat, 21 Nov 2026 12:25:20 GMT


            """,
            """
            DESCRIBE rtsp://127.0.0.1:28554/live/canalA.stream?token=x RTSP/1.0
            CSeq: 3
            User-Agent: GStreamer/1.22.0
            Accept: application/sdp
            Authorization: Digest username="ana", realm="Antena", nonce="4cdbb6eead79d67f4691be9100fda0b5", \
            uri="rtsp://127.0.0.1:28554/live/canalA.stream?token=x", response="0ed06a6881ed226520681e71511bf330"
            Date: Sat, 21 Nov 2026 12:25:20 GMT


            """,
            """
            SETUP rtsp://127.0.0.1:28554/live/canalA.stream/trackID=0 RTSP/1.0
            CSeq: 4
            User-Agent: GStreamer/1.22.0
            Transport: RTP/AVP/TCP;unicast;interleaved=0-1
            Authorization: Digest username="ana", realm="Antena", nonce="4cdbb6eead79d67f4691be9100fda0b5", \
            uri="rtsp://127.0.0.1:28554/live/canalA.stream/trackID=0", \
            response="e2b3845d1b000a2bf387f64a6df44e8d"
            Date: Sat, 21 Nov 2026 12:25:20 GMT


            """,
            """
            SETUP rtsp://127.0.0.1:28554/live/canalA.stream/trackID=1 RTSP/1.0
            CSeq: 5
            User-Agent: GStreamer/1.22.0
            Transport: RTP/AVP/TCP;unicast;interleaved=2-3
            Session: 1305470448394400589
            Authorization: Digest username="ana", realm="Antena", nonce="4cdbb6eead79d67f4691be9100fda0b5", \
            uri="rtsp://127.0.0.1:28554/live/canalA.stream/trackID=1", \
            response="1e667fed2b63eea16bada1d4abc2f513"
            Date: Sat, 21 Nov 2026 12:25:20 GMT


            """,
            """
            PLAY rtsp://127.0.0.1:28554/live/canalA.stream/ RTSP/1.0
            CSeq: 6
            User-Agent: GStreamer/1.22.0
            Range: npt=0-
            Session: 1305470448394400589
            Authorization: Digest username="ana", realm="Antena", nonce="4cdbb6eead79d67f4691be9100fda0b5", \
            uri="rtsp://127.0.0.1:28554/live/canalA.stream/", response="77c4192633889aa02fa14305642bf903"
            Date: Sat, 21 Nov 2026 12:25:20 GMT


            """,
        ])

}
