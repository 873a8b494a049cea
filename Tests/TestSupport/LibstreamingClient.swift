import Crypto

/// The requests of the Android library libstreaming, which is unmaintained since 2014 and built into many apps. They
/// follow the source of its `RtspClient`, quirks included; responses are parsed with its patterns.
package struct LibstreamingClient: Sendable {
    package let url: String
    /// The value of the Authorization header: the text `null`, or a value that includes a line end.
    package private(set) var authorization = "null"
    package private(set) var session = ""

    /// The library's patterns do not match the server's response.
    package struct NotUnderstood: Error {
        package var header: String
    }

    /// - Parameter url: the URL configured in the app, with the port.
    package init(url: String) { self.url = url }

    /// The session description for H.264 and AAC; both tracks have payload type 96.
    package static let sessionDescription = """
        v=0\r
        o=- 1430000000 1430000000 IN IP4 192.168.1.20\r
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
        a=fmtp:96 packetization-mode=1;profile-level-id=42c01e;sprop-parameter-sets=Z0LAHtkBQHsg,aMuMsg==;\r
        a=control:trackID=1\r

        """

    /// An ANNOUNCE request.
    package func announce(_ cSeq: Int) -> String {
        let sdp = Self.sessionDescription
        let credentials = authorization == "null" ? "" : "Authorization: \(authorization)Session: \(session)\r\n"
        return "ANNOUNCE \(url) RTSP/1.0\r\nCSeq: \(cSeq)\r\nContent-Length: \(sdp.utf8.count)\r\n" + credentials
            + "Content-Type: application/sdp \r\n\r\n" + sdp
    }

    /// A SETUP request.
    ///
    /// - Parameter port: the client's port for RTP; the next one is for RTCP.
    package func setup(track: Int, port: Int, _ cSeq: Int) -> String {
        "SETUP \(url)/trackID=\(track) RTSP/1.0\r\nCSeq: \(cSeq)\r\n"
            + "Transport: RTP/AVP/UDP;unicast;client_port=\(port)-\(port + 1);mode=receive\r\n"
            + "Session: \(session)\r\nAuthorization: \(authorization)\r\n\r\n"
    }

    /// A RECORD request, in which the line end after the range is missing.
    package func record(_ cSeq: Int) -> String {
        "RECORD \(url) RTSP/1.0\r\nRange: npt=0.000-CSeq: \(cSeq)\r\nSession: \(session)\r\n"
            + "Authorization: \(authorization)\r\n\r\n"
    }

    /// A TEARDOWN request. It ends with a blank line only if there are credentials, whose text includes a line end.
    package func teardown(_ cSeq: Int) -> String {
        "TEARDOWN \(url) RTSP/1.0\r\nCSeq: \(cSeq)\r\nSession: \(session)\r\nAuthorization: \(authorization)\r\n"
    }

    /// Computes the response to a Digest challenge of RFC 2069.
    ///
    /// - Parameter challenge: the last `WWW-Authenticate` field, because the library's header map keeps only the last
    ///   of a name.
    package mutating func logIn(user: String, password: String, challenge: String) throws(NotUnderstood) {
        guard let match = challenge.firstMatch(of: /realm="(.+)",\s+nonce="(\w+)"/) else {
            throw NotUnderstood(header: challenge)
        }
        let (realm, nonce) = (String(match.1), String(match.2))
        let digest = Self.md5(
            "\(Self.md5("\(user):\(realm):\(password)")):\(nonce):\(Self.md5("ANNOUNCE:\(url)"))")
        authorization =
            "Digest username=\"\(user)\",realm=\"\(realm)\",nonce=\"\(nonce)\",uri=\"\(url)\",response=\"\(digest)\"\r\n"
    }

    /// Reads the session ID.
    ///
    /// - Parameter header: the Session field of the first response, regardless of its status.
    package mutating func readSession(_ header: String) throws(NotUnderstood) {
        guard let match = header.firstMatch(of: /(\d+)/) else { throw NotUnderstood(header: header) }
        session = String(match.1)
    }

    /// The server's port for RTP in the response's Transport field; `nil` if there is none.
    package func serverPort(transport: String) -> Int? {
        transport.firstMatch(of: /client_port=(\d+)-(\d+).+server_port=(\d+)-(\d+)/).flatMap { Int($0.3) }
    }

    private static func md5(_ text: String) -> String {
        Insecure.MD5.hash(data: Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
