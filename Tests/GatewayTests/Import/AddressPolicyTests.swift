import Foundation
import NIOCore
import NIOHTTP1
import Testing

@testable import Gateway
@testable import HTTPClients

struct AddressPolicyTests {
    @Test(arguments: [
        "127.0.0.1", "127.255.0.9", "0.0.0.0", "10.1.2.3", "100.64.0.1", "100.127.255.255", "169.254.169.254",
        "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1",
        "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1",
        "255.255.255.255", "::", "::1", "fe80::1", "fc00::1", "fdff::1", "ff02::1", "::ffff:127.0.0.1",
        "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::1", "2002:a00:1::1", "2001::1", "2001:db8::1", "3fff::1",
        "64:ff9b:1::1", "100::1", "::127.0.0.1", "4000::1", "fec0::1",
    ])
    func whatIsNotPublic(_ text: String) throws {
        let address = try SocketAddress(ipAddress: text, port: 80)
        #expect(!AddressPolicy.publicAddressesOnly.allows(address))
        #expect(AddressPolicy.anyAddress.allows(address))
    }

    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.0.0.1", "128.0.0.1",
        "169.253.0.1", "172.15.255.255", "172.32.0.0", "192.0.1.1", "192.167.1.1", "198.17.0.1", "198.20.0.0",
        "223.255.255.255", "2606:4700::1111", "2a00:1450:4003::1", "::ffff:1.1.1.1", "64:ff9b::101:101",
        "2002:101:101::1", "2001:200::1", "3ffe::1",
    ])
    func whatIsPublic(_ text: String) throws {
        #expect(AddressPolicy.publicAddressesOnly.allows(try SocketAddress(ipAddress: text, port: 80)))
    }

    @Test(
        arguments: [
            ("http://a.org/b/film.mp4?x=y", [:], "film.mp4"), ("http://a.org/pel%C3%ADcula.mkv", [:], "película.mkv"),
            ("http://a.org/watch", ["Content-Type": "video/mp4"], "watch.mp4"),
            ("http://a.org/", ["Content-Type": "audio/mpeg; q=1"], "a.org.mp3"),
            ("http://a.org/x", ["Content-Disposition": "attachment; filename=\"a b.mov\""], "a b.mov"),
            (
                "http://a.org/x", ["Content-Disposition": "attachment; filename=b.mp4; filename*=UTF-8''a%C3%B1o.mp4"],
                "año.mp4"
            ),
            ("http://a.org/%2e%2e%2fx.mp4", [:], "x.mp4"),
            ("http://a.org/x.html", ["Content-Type": "text/html"], "x.html"),
        ] as [(String, [String: String], String)])
    func names(_ url: String, _ headers: [String: String], _ name: String) throws {
        let url = try #require(URL(string: url))
        #expect(HTTPMediaFetcher.name(of: url, HTTPHeaders(headers.map { ($0.key, $0.value) })) == name)
    }

    @Test func contentRanges() {
        typealias Range = HTTPMediaFetcher.ContentRange
        #expect(Range(parsing: "bytes 5-9/10")?.first == 5)
        #expect(Range(parsing: "bytes 5-9/10")?.total == 10)
        #expect(Range(parsing: "bytes 5-9/*")?.total == nil)
        for text in ["", "bytes */10", "bytes 9-5/10", "bytes -5-9/10", "items 0-1/2", "bytes 0-1"] {
            #expect(Range(parsing: text) == nil, "\(text)")
        }
    }
}
