import NIOCore
import RTSPProtocol
import Testing

struct RTSPMessageParserTests {
    static let stream: ByteBuffer = {
        var buffer = ByteBuffer(string: "OPTIONS rtsp://h/live/a.stream RTSP/1.0\r\nCSeq: 1\r\n\r\n")
        buffer.writeString("\r\nANNOUNCE rtsp://h/a RTSP/1.0\nCSeq:2\nX-Long: a\n b\nContent-Length: 4\n\nv=0\n")
        buffer.writeBytes([0x24, 1, 0, 3, 7, 8, 9, 0x24, 0, 0, 0])
        buffer.writeString("RTSP/1.0 200 Fine by me\r\ncseq: 9\r\n\r\n")
        return buffer
    }()

    static let elements: [RTSPElement] = [
        .request(RTSPRequest(method: .options, uri: "rtsp://h/live/a.stream", headers: ["CSeq": "1"])),
        .request(
            RTSPRequest(
                method: .announce, uri: "rtsp://h/a",
                headers: ["CSeq": "2", "X-Long": "a b", "Content-Length": "4"], body: ByteBuffer(string: "v=0\n"))),
        .interleavedFrame(InterleavedFrame(channel: 1, payload: ByteBuffer(bytes: [7, 8, 9]))),
        .interleavedFrame(InterleavedFrame(channel: 0, payload: ByteBuffer())),
        .response(RTSPResponse(status: RTSPStatus(200, "Fine by me"), headers: ["cseq": "9"])),
    ]

    @Test(arguments: [1, 2, 3, 7, 50, 1_000])
    func findsTheSameElementsHoweverTheBytesAreCut(pieceByteCount: Int) throws {
        var parser = RTSPMessageParser()
        var source = Self.stream
        var pending = ByteBuffer()
        var found: [RTSPElement] = []
        while let piece = source.readSlice(length: min(pieceByteCount, source.readableBytes)), piece.readableBytes > 0 {
            pending.writeImmutableBuffer(piece)
            while let element = try parser.next(from: &pending) { found.append(element) }
        }
        #expect(found == Self.elements)
        #expect(pending.readableBytes == 0)
    }

    @Test(arguments: [
        ("garbage\r\n", RTSPParsingError.Code.malformedStartLine, 400),
        ("GET / HTTP/1.1\r\n", .malformedStartLine, 400),
        ("OPTIONS * RTSP/2.0\r\n", .unsupportedVersion, 505),
        ("options * RTSP/1.0\r\n", .malformedStartLine, 400),
        ("RTSP/1.0 abc\r\n", .malformedStartLine, 400),
        ("OPTIONS * RTSP/1.0\r\nno colon\r\n", .malformedHeader, 400),
        ("OPTIONS * RTSP/1.0\r\n: empty\r\n", .malformedHeader, 400),
        ("OPTIONS * RTSP/1.0\r\nContent-Length: -1\r\n\r\n", .malformedContentLength, 400),
        ("OPTIONS * RTSP/1.0\r\nContent-Length: +5\r\n\r\n", .malformedContentLength, 400),
        ("OPTIONS * RTSP/1.0\r\nContent-Length: 0x5\r\n\r\n", .malformedContentLength, 400),
        ("OPTIONS * RTSP/1.0\r\nContent-Length: 5 5\r\n\r\n", .malformedContentLength, 400),
        ("OPTIONS * RTSP/1.0\r\nContent-Length: ٥\r\n\r\n", .malformedContentLength, 400),
        ("OPTIONS * RTSP/1.0\r\nContent-Length:\r\n\r\n", .malformedContentLength, 400),
        ("OPTIONS * RTSP/1.0\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n", .malformedContentLength, 400),
        ("OPTIONS * RTSP/1.0\r\nContent-Length: 99999999999999999999\r\n\r\n", .malformedContentLength, 400),
        ("OPTIONS * RTSP/1.0\r\nContent-Length: 65537\r\n\r\n", .bodyTooLarge, 413),
        (String(repeating: "A", count: 5_000), .lineTooLong, 400),
        ("OPTIONS * RTSP/1.0\r\n" + String(repeating: "A: b\r\n", count: 65), .tooManyHeaders, 400),
        (
            "OPTIONS * RTSP/1.0\r\n"
                + String(repeating: "A: " + String(repeating: "b", count: 4_000) + "\r\n", count: 5),
            .headTooLarge, 400
        ),
        (
            "OPTIONS * RTSP/1.0\r\nA: b\r\n"
                + String(repeating: " " + String(repeating: "c", count: 4_000) + "\r\n", count: 5),
            .headTooLarge, 400
        ),
    ])
    func refusesWhatIsNoRTSPAndWhatIsTooMuch(text: String, code: RTSPParsingError.Code, status: Int) {
        var parser = RTSPMessageParser()
        var buffer = ByteBuffer(string: text)
        let error = #expect(throws: RTSPParsingError.self) {
            while try parser.next(from: &buffer) != nil {}
        }
        #expect(error?.code == code)
        #expect(error?.status.code == status)
    }

    @Test func aTeardownWithoutItsBlankLineCountsAtTheEndOfTheConnection() throws {
        var parser = RTSPMessageParser()
        var buffer = ByteBuffer(string: "TEARDOWN rtsp://h/a RTSP/1.0\r\nCSeq: 7\r\nSession: 12")
        #expect(try parser.next(from: &buffer) == nil)
        let request = parser.finish(with: &buffer)
        #expect(request?.method == .teardown)
        #expect(request?.sessionID == "12")
        #expect(parser.finish(with: &buffer) == nil)
    }

    @Test func tellsWhatASplitFrameLacks() throws {
        var parser = RTSPMessageParser()
        var buffer = ByteBuffer(bytes: [0x24])
        #expect(try parser.next(from: &buffer) == nil)
        #expect(parser.missingByteCount(after: buffer) == 3)
        buffer.writeBytes([0, 0, 5, 1])
        #expect(parser.missingByteCount(after: buffer) == 4)
        #expect(parser.missingByteCount(after: ByteBuffer(string: "OPT")) == nil)
    }

    @Test func writesWhatItReads() throws {
        for element in Self.elements {
            var buffer = ByteBuffer()
            switch element {
            case .request(let request): request.write(into: &buffer)
            case .response(let response): response.write(into: &buffer)
            case .interleavedFrame(let frame): frame.write(into: &buffer)
            }
            var parser = RTSPMessageParser()
            #expect(try parser.next(from: &buffer) == element)
        }
    }

    @Test func whatIsEchoedCannotBeginALine() {
        var buffer = ByteBuffer()
        RTSPResponse(status: .ok, headers: ["CSeq": "1\rSession: 2\n"]).write(into: &buffer)
        #expect(String(buffer: buffer) == "RTSP/1.0 200 OK\r\nCSeq: 1 Session: 2 \r\n\r\n")
    }
}
