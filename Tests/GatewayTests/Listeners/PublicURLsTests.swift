import LiveChannels
import Testing

@testable import Gateway
@testable import ServerSettings

struct PublicURLsTests {
    private static let addresses = ["192.0.2.7", "2001:db8::7"]
    private static let ports: [ListenerName: Int] = [.http: 8080, .rtsp: 8554]

    private func text(
        _ flags: [ServerSetting: String] = [:], addresses: [String] = addresses, ports: [ListenerName: Int] = ports,
        channelFields: String = #""publish": "anyone""#
    ) throws -> [String] {
        let channels = """
            {"presets": {"low": {"width": 426, "height": 240, "frameRate": 24, "videoBitrate": 400000,
                                 "audioBitrate": 64000}},
             "channels": [{"name": "canalA", "presets": ["low"], "defaultPreset": "low", \(channelFields)}]}
            """
        let configuration = try ServerConfiguration(
            flags: flags.merging([.listensPublicly: "true"]) { given, _ in given }, environment: [:],
            wildcardHost: "::")
        let urls = PublicURLs(
            configuration: configuration,
            channel: try ChannelsFile.parse(channels.utf8, file: "channels.json").channels.first, addresses: addresses)
        return urls.text(ports).split(separator: "\n").map(String.init)
    }

    @Test func oneLineForEachAddress() throws {
        #expect(
            try text() == [
                "reachable from other machines:",
                "  site        http://192.0.2.7:8080/",
                "              http://[2001:db8::7]:8080/",
                "  HLS         http://192.0.2.7:8080/live/canalA.stream/playlist.m3u8",
                "              http://[2001:db8::7]:8080/live/canalA.stream/playlist.m3u8",
                "  RTSP push   rtsp://192.0.2.7:8554/live/canalA.stream",
                "              rtsp://[2001:db8::7]:8554/live/canalA.stream",
            ])
    }

    @Test func aListenerOnIPv4IsNotReachedByIPv6() throws {
        let lines = try text([.http: "0.0.0.0:0", .rtsp: "127.0.0.1:0"], ports: [.http: 49_152, .rtsp: 49_153])
        #expect(lines.dropFirst().allSatisfy { $0.contains("http://192.0.2.7:49152/") })
        #expect(lines.count == 3, "\(lines)")
    }

    @Test func encryptedListenersAndTheSitesOwnAddressComeFirst() throws {
        let lines = try text(
            [
                .tlsCert: "c", .tlsKey: "k", .https: "[::]:443", .rtsps: "192.0.2.7:322",
                .publicURL: "https://tv.example.org",
            ],
            addresses: ["192.0.2.7"], ports: [.http: 8080, .https: 443, .rtsp: 8554, .rtsps: 322])
        #expect(
            lines.dropFirst().map { $0.split(separator: " ").last ?? "" } == [
                "https://tv.example.org/", "https://192.0.2.7:443/", "http://192.0.2.7:8080/",
                "http://192.0.2.7:8080/live/canalA.stream/playlist.m3u8", "rtsps://192.0.2.7:322/live/canalA.stream",
                "rtsp://192.0.2.7:8554/live/canalA.stream",
            ])
    }

    @Test func saysIfAChannelRefusesPushesFromElsewhere() throws {
        let lines = try text(channelFields: #""title": "Canal A""#)
        #expect(lines.last?.contains("canalA accepts pushes from this machine only") == true)
        #expect(try !text([.rtsp: "127.0.0.1:8554"], channelFields: #""title": "A""#).contains { $0.contains("only") })
    }

    @Test func saysWhyNothingCanBeReached() throws {
        let offline = try text(addresses: [])
        #expect(offline == ["no listener can be reached from other machines: this machine has no network address"])
        let local = try text([.http: "localhost:8080", .rtsp: "[::1]:8554"])
        #expect(local.count == 1 && local[0].contains("--http and --rtsp name addresses of this machine only"))
    }

    @Test func loopbackAndLinkLocalAddressesAreLeftOut() {
        let addresses = [
            "127.0.0.1", "::1", "2001:db8::7", "192.0.2.7", "169.254.3.4", "fe80::1%eth0", "febf::1", "fec0::1",
            "192.0.2.7", "fe8::1", "10.0.0.1",
        ]
        #expect(
            NetworkAddresses.reachable(addresses) == ["192.0.2.7", "10.0.0.1", "2001:db8::7", "fec0::1", "fe8::1"])
    }

    @Test func thisMachinesAddressesAreAddresses() {
        for address in NetworkAddresses.current() {
            #expect(address.contains(".") || address.contains(":"))
            #expect(!NetworkAddresses.isLocal(address))
        }
    }
}
