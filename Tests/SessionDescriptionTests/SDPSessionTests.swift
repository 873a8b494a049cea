import SessionDescription
import Testing

struct SDPSessionTests {
    /// A description as libstreaming's `SessionBuilder` writes it (Session.java, H264Stream.java, AACStream.java).
    static let libstreaming = """
        v=0\r
        o=- 1430000000 1430000000 IN IP4 127.0.0.1\r
        s=Unnamed\r
        i=N/A\r
        c=IN IP4 192.168.1.10\r
        t=0 0\r
        a=recvonly\r
        m=audio 5004 RTP/AVP 96\r
        a=rtpmap:96 mpeg4-generic/44100\r
        a=fmtp:96 streamtype=5; profile-level-id=15; mode=AAC-hbr; config=1208; SizeLength=13; IndexLength=3; \
        IndexDeltaLength=3;\r
        a=control:trackID=0\r
        m=video 5006 RTP/AVP 96\r
        a=rtpmap:96 H264/90000\r
        a=fmtp:96 packetization-mode=1;profile-level-id=42801e;sprop-parameter-sets=Z0KAHtoHgUTlkA==,aM4NiA==;\r
        a=control:trackID=1\r

        """

    @Test func readsWhatLibstreamingAnnounces() throws {
        let session = try SDPSession(parsing: Self.libstreaming.utf8)
        #expect(session.media.map(\.mediaType) == ["audio", "video"])
        #expect(session.media.map(\.payloadType) == [96, 96])
        #expect(session.media[0].rtpMap?.encodingName == "mpeg4-generic")
        #expect(session.media[0].rtpMap?.clockRate == 44_100)
        #expect(session.media[0].rtpMap?.channelCount == nil)
        #expect(session.media[0].formatParameters["config"] == "1208")
        #expect(session.media[0].formatParameters.integer("sizelength") == 13)
        #expect(session.media[1].formatParameters["sprop-parameter-sets"] == "Z0KAHtoHgUTlkA==,aM4NiA==")
        #expect(session.media[1].control == "trackID=1")
        #expect(session.attributes.first == SDPAttribute("recvonly"))
    }

    @Test(arguments: [libstreaming, libstreaming.split(separator: "\r\n").joined(separator: "\n")])
    func renderingAndParsingAgainGivesTheSame(text: String) throws {
        let session = try SDPSession(parsing: text.utf8)
        #expect(try SDPSession(parsing: session.rendered.utf8) == session)
    }

    @Test(arguments: [
        ("v=0\nm=video 0 RTP/AVP 96\nm=oops\n", SDPParsingError.Code.malformedMediaLine, 3),
        ("v=0\ns=x\nnonsense\n", .malformedLine, 3),
        ("s=x\n", .missingVersion, 1),
        ("v=1\n", .missingVersion, 1),
        ("", .missingVersion, 1),
        ("v=0\nm=video 70000 RTP/AVP 96\n", .malformedMediaLine, 2),
        ("v=0\na=" + String(repeating: "x", count: 9_000), .lineTooLong, 2),
        (String(repeating: "\n", count: 600), .tooManyLines, 513),
        ("v=0\n" + String(repeating: "m=video 0 RTP/AVP 96\n", count: 17), .tooManyMediaDescriptions, 18),
        (String(repeating: "v", count: 70_000), .tooLong, 1),
    ])
    func saysWhichLineIsWrong(text: String, code: SDPParsingError.Code, line: Int) {
        let error = #expect(throws: SDPParsingError.self) { try SDPSession(parsing: text.utf8) }
        #expect(error?.code == code)
        #expect(error?.lineNumber == line)
    }

    @Test(arguments: [
        ("96 H264/90000", SDPRTPMap(payloadType: 96, encodingName: "H264", clockRate: 90_000) as SDPRTPMap?),
        (
            "97 MPEG4-GENERIC/48000/2",
            SDPRTPMap(payloadType: 97, encodingName: "MPEG4-GENERIC", clockRate: 48_000, channelCount: 2)
        ),
        ("97 X/0", nil), ("300 X/8000", nil), ("96", nil), ("96 X", nil), ("", nil), ("96 X/-5", nil),
    ])
    func parsesRTPMaps(text: String, expected: SDPRTPMap?) {
        #expect(SDPRTPMap(parsing: text) == expected)
        if let expected { #expect(expected.rendered == text) }
    }

    @Test func bytesThatAreNoTextDoNoHarm() throws {
        let bytes = Array("v=0\ns=".utf8) + [0xFF, 0xFE, 0x80] + Array("\nm=audio 0 RTP/AVP 0\n".utf8)
        let session = try SDPSession(parsing: bytes)
        #expect(session.media[0].rtpMap?.encodingName == "PCMU")
    }
}
