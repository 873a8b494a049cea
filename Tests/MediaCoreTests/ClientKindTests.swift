import MediaCore
import Testing

struct ClientKindTests {
    @Test(arguments: [
        ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36", ClientKind.browser),
        ("Mozilla/5.0 (SMART-TV; Linux; Tizen 6.0) AppleWebKit/537.36", .television),
        ("AppleCoreMedia/1.0.0.21A5248v (iPhone; U; CPU OS 17_0 like Mac OS X; es_es)", .apple),
        ("ExoPlayerDemo/2.18 (Linux;Android 13) ExoPlayerLib/2.18.1", .android), ("VLC/3.0.18 LibVLC/3.0.18", .player),
        ("Lavf/59.27.100", .player), ("curl/7.88", .other), ("", .other),
        (String(repeating: "x", count: 100_000) + "vlc", .other),
    ])
    func kindsAreToldByTheUserAgent(_ agent: String, _ kind: ClientKind) {
        #expect(ClientKind(userAgent: agent) == kind)
    }

    @Test func aClientWithoutANameIsAnother() { #expect(ClientKind(userAgent: nil) == .other) }
}
