import StreamConnections
import Testing

@testable import RTMPServer

/// What encoders enter as server and key.
struct RTMPStreamAddressTests {
    @Test(arguments: [
        ("live", "canalA.stream"), ("live", "canalA"), ("live/", "canalA"), ("live/canalA", ""),
        ("live/_definst_", "canalA.stream"), ("live", "flv:canalA"), ("live?x=1", "canalA?y=2"),
    ]) func channelsAreFound(_ application: String, _ name: String) {
        #expect(RTMPStreamAddress(application: application, name: name, address: nil).channel == "canalA")
    }

    @Test(arguments: [
        ("live", ""), ("vod", "canalA"), ("live", "canalA/x"), ("", "canalA"), ("live", "../canalA"), ("live", "a b"),
        ("live/canalA", "canalB"),
    ]) func otherAddressesHaveNone(_ application: String, _ name: String) {
        #expect(RTMPStreamAddress(application: application, name: name, address: nil).channel == nil)
    }

    @Test(
        arguments: [
            (
                "live", "canalA?user=ana&pass=a%26b", String?.none,
                StreamCredential.password(username: "ana", secret: "a&b")
            ),
            ("live?user=ana&pass=x", "canalA", nil, .password(username: "ana", secret: "x")),
            ("live", "canalA", "rtmp://ana:p%40ss@host:1935/live", .password(username: "ana", secret: "p@ss")),
            ("live", "canalA?token=abc", nil, .token("abc")), ("live", "canalA?jwt=a.b.c", nil, .token("a.b.c")),
            // The key comes first, and a token before a password.
            ("live?user=eva&pass=y", "canalA?user=ana&pass=x&token=t", "rtmp://u:p@host/live", .token("t")),
            ("live?user=eva&pass=y", "canalA?user=ana&pass=x", nil, .password(username: "ana", secret: "x")),
        ] as [(String, String, String?, StreamCredential)]) func credentialsAreFound(
            _ application: String, _ name: String, _ address: String?, _ expected: StreamCredential
        )
    {
        #expect(RTMPStreamAddress(application: application, name: name, address: address).credential == expected)
    }

    @Test(
        arguments: [
            ("canalA?user=ana", nil), ("canalA?user=ana&pass=", nil), ("canalA?token=", nil),
            ("canalA", "rtmp://ana@host/live"),
            ("canalA", "rtmp://host/live?u=a:b@c"), ("canalA", "nonsense"),
        ] as [(String, String?)]) func halfACredentialIsNone(_ name: String, _ address: String?)
    {
        #expect(RTMPStreamAddress(application: "live", name: name, address: address).credential == nil)
    }

    @Test func thePresetIsInTheKey() {
        #expect(RTMPStreamAddress(application: "live", name: "canalA?preset=high", address: nil).preset == "high")
        #expect(RTMPStreamAddress(application: "live", name: "canalA", address: nil).preset == nil)
    }

    @Test func aChallengeIsInTheApplication() throws {
        func answer(_ application: String) -> AdobeChallenge.Answer? {
            RTMPStreamAddress(application: application, name: "", address: nil).challenge
        }
        #expect(answer("live") == nil)
        #expect(answer("live?authmod=adobe&user=ana")?.response == nil)
        let full = try #require(answer("live?authmod=adobe&user=ana&challenge=c&response=a%2Bb=&opaque=o"))
        #expect(full.response == "a+b=" && full.challenge == "c" && full.opaque == "o" && full.user == "ana")
    }
}
