import Crypto

/// What the Android library libstreaming, frozen since 2014 and in many apps, sends: the text of its `RtspClient`,
/// written down from its source, oddities and all. What it reads from the answers is read with its patterns.
package struct LibstreamingClient: Sendable {
    package let url: String
    /// The text `null`, or a header's value with a line end of its own.
    package private(set) var authorization = "null"
    package private(set) var session = ""

    /// Its patterns do not match what the server said.
    package struct NotUnderstood: Error {
        package var header: String
    }

    /// - Parameter url: as apps have it written into them, with the port.
    package init(url: String) { self.url = url }

    /// Of its good settings, H.264 and AAC; both have payload type 96.
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

    package func announce(_ cSeq: Int) -> String {
        let sdp = Self.sessionDescription
        let credentials = authorization == "null" ? "" : "Authorization: \(authorization)Session: \(session)\r\n"
        return "ANNOUNCE \(url) RTSP/1.0\r\nCSeq: \(cSeq)\r\nContent-Length: \(sdp.utf8.count)\r\n" + credentials
            + "Content-Type: application/sdp \r\n\r\n" + sdp
    }

    /// - Parameter port: the client's for RTP; the next one is for RTCP.
    package func setup(track: Int, port: Int, _ cSeq: Int) -> String {
        "SETUP \(url)/trackID=\(track) RTSP/1.0\r\nCSeq: \(cSeq)\r\n"
            + "Transport: RTP/AVP/UDP;unicast;client_port=\(port)-\(port + 1);mode=receive\r\n"
            + "Session: \(session)\r\nAuthorization: \(authorization)\r\n\r\n"
    }

    /// The line end after the range is missing.
    package func record(_ cSeq: Int) -> String {
        "RECORD \(url) RTSP/1.0\r\nRange: npt=0.000-CSeq: \(cSeq)\r\nSession: \(session)\r\n"
            + "Authorization: \(authorization)\r\n\r\n"
    }

    /// The blank line at the end is there only with credentials, whose text ends with a line end.
    package func teardown(_ cSeq: Int) -> String {
        "TEARDOWN \(url) RTSP/1.0\r\nCSeq: \(cSeq)\r\nSession: \(session)\r\nAuthorization: \(authorization)\r\n"
    }

    /// RFC 2069.
    ///
    /// - Parameter challenge: the last `WWW-Authenticate`: its header map keeps the last of a name.
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

    /// - Parameter header: `Session` of the first answer, whatever its status.
    package mutating func readSession(_ header: String) throws(NotUnderstood) {
        guard let match = header.firstMatch(of: /(\d+)/) else { throw NotUnderstood(header: header) }
        session = String(match.1)
    }

    /// The server's port for RTP, from the answer's `Transport`.
    package func serverPort(transport: String) -> Int? {
        transport.firstMatch(of: /client_port=(\d+)-(\d+).+server_port=(\d+)-(\d+)/).flatMap { Int($0.3) }
    }

    private static func md5(_ text: String) -> String {
        Insecure.MD5.hash(data: Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
