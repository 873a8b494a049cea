import ChannelPublishing
import NIOCore
import Testing

@testable import StreamRelays

/// Addresses of sources and copies, and what is shown of them.
struct RelayAddressTests {
    @Test(arguments: [
        ("rtsp://cam/stream", "cam", 554, "/stream"),
        ("rtmps://a.example.org/live2/key?x=1", "a.example.org", 443, "/live2/key?x=1"),
        ("srt://[2001:db8::1]:9710?streamid=publish:a", "2001:db8::1", 9_710, "/?streamid=publish:a"),
        ("udp://239.1.2.3:5000", "239.1.2.3", 5_000, "/"),
    ]) func addressesAreRead(_ text: String, _ host: String, _ port: Int, _ path: String) throws {
        let address = try #require(RelayAddress(text))
        #expect(address.host == host && address.port == port && address.path == path)
    }

    @Test(arguments: [
        "", "cam", "ftp://a/b", "srt://host", "udp://host", "rtsp://:554/a", "rtsp://a:0/", "rtsp://a/#b",
    ])
    func othersAreNot(_ text: String) { #expect(RelayAddress(text) == nil) }

    @Test func secretsAreNotShown() throws {
        for text in [
            "rtmp://ana:hunter2@host/app/hunter2", "srt://host:9710?streamid=publish:a:ana:hunter2&passphrase=hunter2",
            "rtsp://host/hunter2?token=hunter2",
        ] {
            #expect(!(try #require(RelayAddress(text))).description.contains("hunter2"))
        }
    }

    @Test func packetsOfRTPAreTakenOut() throws {
        let header: [UInt8] = [0x80, 33, 0, 7, 0, 0, 0, 1, 0, 0, 0, 9]
        let packet = try #require(TransportStreamRTPPacket(ByteBuffer(bytes: header + [0x47, 1, 2])))
        #expect(packet.sequence == 7 && packet.source == 9 && packet.payload == ByteBuffer(bytes: [0x47, 1, 2]))
        // One contributing source, an extension of a word, and two bytes of padding.
        let long: [UInt8] =
            [0xB1, 33, 0, 8, 0, 0, 0, 1, 0, 0, 0, 9, 1, 1, 1, 1, 0, 0, 0, 1, 5, 5, 5, 5, 0x47, 3, 0, 2]
        #expect(
            try #require(TransportStreamRTPPacket(ByteBuffer(bytes: long))).payload == ByteBuffer(bytes: [0x47, 3]))
        for count in 0..<long.count { _ = TransportStreamRTPPacket(ByteBuffer(bytes: Array(long.prefix(count)))) }
        #expect(TransportStreamRTPPacket(ByteBuffer(bytes: header)) == nil)
    }

    @Test func attemptsAreFurtherAndFurtherApart() {
        var backOff = RelayBackOff()
        #expect((0..<7).map { _ in backOff.next(hasWorked: false) } == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
        #expect(backOff.next(hasWorked: true) == .seconds(1))
    }
}
