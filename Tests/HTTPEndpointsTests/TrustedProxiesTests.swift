import HTTPTypes
import Testing

@testable import HTTPEndpoints

struct TrustedProxiesTests {
    @Test(
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.1.2.3", "10.1.2.3", true),
            ("10.1.2.3", "10.1.2.4", false), ("2001:db8::/33", "2001:db8:7fff::1", true),
            ("2001:db8::/33", "2001:db8:8000::1", false), ("127.0.0.1", "::ffff:127.0.0.1", true), ("::1", "::1", true),
            ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "::1", false), ("10.0.0.0/8", "not an address", false),
        ] as [(String, String, Bool)])
    func ranges(_ range: String, _ address: String, _ isInside: Bool) throws {
        #expect(try #require(AddressRange(parsing: range)).contains(address) == isInside)
    }

    @Test(arguments: ["", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "10.0.0.0/8/8", "10.0.0", "localhost", "1.2.3.4 "])
    func textsThatAreNotRanges(_ text: String) {
        #expect(AddressRange(parsing: text) == nil)
    }

    private func client(
        _ value: String, _ name: String = "X-Forwarded-For", peer: String = "127.0.0.1",
        field: TrustedProxies.Field = .xForwardedFor
    ) throws -> String {
        let ranges = ["127.0.0.1", "10.0.0.0/8"].compactMap { AddressRange(parsing: $0) }
        return TrustedProxies(ranges, field: field)
            .client([try #require(HTTPField.Name(name)): value], peer: peer)
    }

    /// The client writes what it likes in front; the proxies append.
    @Test func theLastAddressThatIsNoProxyIsTheClient() throws {
        #expect(try client("203.0.113.9") == "203.0.113.9")
        #expect(try client("6.6.6.6, 203.0.113.9, 10.0.0.7") == "203.0.113.9")
        #expect(try client("203.0.113.9:4711") == "203.0.113.9")
        #expect(try client("[2001:db8::7]:4711") == "2001:db8::7")
        #expect(try client("2001:db8::7") == "2001:db8::7")
        #expect(try client("10.0.0.7") == "10.0.0.7")
    }

    /// Damage ends the search at what the proxies have said so far.
    @Test func whatIsHiddenOrDamagedIsNotGuessed() throws {
        #expect(try client("6.6.6.6, unknown, 10.0.0.7") == "10.0.0.7")
        #expect(try client("<script>") == "127.0.0.1")
        #expect(try client("") == "127.0.0.1")
        #expect(try client(String(repeating: "10.0.0.7,", count: 1_000) + "10.0.0.7") == "10.0.0.7")
    }

    @Test func nobodyElseIsBelieved() throws {
        #expect(try client("203.0.113.9", peer: "198.51.100.1") == "198.51.100.1")
        let none = TrustedProxies.none
        let name = try #require(HTTPField.Name("X-Forwarded-For"))
        #expect(none.client([name: "203.0.113.9"], peer: "127.0.0.1") == "127.0.0.1")
    }

    /// A proxy passes on the field that it does not know as the client has sent it.
    @Test func onlyOneFieldIsLookedAt() throws {
        #expect(try client("for=203.0.113.9", "Forwarded") == "127.0.0.1")
        #expect(
            try client("for=6.6.6.6, for=\"[2001:db8::7]:80\";proto=https", "Forwarded", field: .forwarded)
                == "2001:db8::7")
        #expect(try client("203.0.113.9", field: .forwarded) == "127.0.0.1")
    }

    private func isSecure(
        _ value: String, _ name: String = "X-Forwarded-Proto", peer: String = "127.0.0.1",
        field: TrustedProxies.Field = .xForwardedFor
    ) throws -> Bool {
        let ranges = ["127.0.0.1", "10.0.0.0/8"].compactMap { AddressRange(parsing: $0) }
        return TrustedProxies(ranges, field: field)
            .isSecure([try #require(HTTPField.Name(name)): value], peer: peer)
    }

    @Test func theProxyNextToTheClientSaysWhetherItSpeaksHTTPS() throws {
        #expect(try isSecure("https") && isSecure("HTTPS") && isSecure("http, https"))
        #expect(try !isSecure("http") && !isSecure("https, http") && !isSecure("") && !isSecure("ws"))
        let forwarded = "for=203.0.113.9;proto=https, for=10.0.0.7;proto=http"
        #expect(try isSecure(forwarded, "Forwarded", field: .forwarded))
        #expect(try isSecure("for=\"[2001:db8::7]:80\";host=a;proto=\"https\"", "Forwarded", field: .forwarded))
        // The client has written the first element.
        #expect(
            try !isSecure("for=6.6.6.6;proto=https, for=203.0.113.9;proto=http", "Forwarded", field: .forwarded))
        #expect(try !isSecure("for=203.0.113.9", "Forwarded", field: .forwarded))
    }

    @Test func nobodyElseSaysWhetherTheClientSpeaksHTTPS() throws {
        #expect(try !isSecure("https", peer: "198.51.100.1"))
        #expect(try !isSecure("https", field: .forwarded))
        #expect(try !isSecure("for=203.0.113.9;proto=https", "Forwarded"))
        let name = try #require(HTTPField.Name("X-Forwarded-Proto"))
        #expect(!TrustedProxies.none.isSecure([name: "https"], peer: "127.0.0.1"))
        // What nobody vouches for is seen all the same, to say what has to be configured.
        #expect(TrustedProxies.claimsHTTPS([name: "https"]) && !TrustedProxies.claimsHTTPS([name: "http"]))
        let forwarded = try #require(HTTPField.Name("Forwarded"))
        #expect(TrustedProxies.claimsHTTPS([forwarded: "for=a;proto=https"]) && !TrustedProxies.claimsHTTPS([:]))
    }
}
