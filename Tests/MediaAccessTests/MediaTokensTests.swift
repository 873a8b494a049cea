import JSONDocument
import MediaAccess
import MediaCore
import TestSupport
import Testing
import WebTokens

struct MediaTokensTests {
    private func permissions(_ json: String) throws -> TokenPermissions {
        TokenPermissions(try JSONParser.parse(json.utf8))
    }

    /// MediaMTX's documentation has these forms.
    @Test(arguments: [
        (#"[{"action": "read", "path": "live/canalA.stream"}]"#, true),
        (#"[{"action": "playback", "path": "live/canalA.stream"}]"#, true),
        (#"[{"action": "read", "path": ""}]"#, true), (#"[{"action": "read"}]"#, true),
        (#"[{"action": "publish", "path": ""}, {"action": "read", "path": "~^live/canal[AB]\\.stream$"}]"#, true),
        (#""[{\"action\": \"read\", \"path\": \"live/canalA.stream\"}]""#, true),
        (#"[{"action": "publish", "path": ""}]"#, false),
        (#"[{"action": "read", "path": "live/canalB.stream"}]"#, false),
        (#"[{"action": "read", "path": "live/canalA"}]"#, false), (#"[{"action": "read", "path": "~^vod/"}]"#, false),
        (#"[{"action": "read", "path": "~("}]"#, false), (#"[{"path": ""}, 1, null, "read"]"#, false),
        ("[]", false), ("null", false), (#""[""#, false), (#"{"action": "read"}"#, false),
    ]) func theClaimOfMediaMTXIsUnderstood(_ claim: String, _ isAllowed: Bool) throws {
        let permissions = try permissions("{\"mediamtx_permissions\": \(claim)}")
        #expect(permissions.allow(["read", "playback"], "/live/canalA.stream") == isAllowed)
    }

    @Test func withoutTheClaimNothingIsAllowed() throws {
        #expect(!(try permissions(#"{"sub": "ana"}"#).allow(["read"], "/live/canalA.stream")))
    }

    @Test func aTokenLetsInUntilItsEnd() async throws {
        let (clock, secret) = (TestClock(), [UInt8](repeating: 65, count: 32))
        let tokens = MediaTokens(
            TokenVerifier(), TokenKeySource(fixed: [try await TokenKey.secret(secret)]), wallClock: clock.wallClock)
        let end = clock.time.secondsSince1970 + 3_600
        let claims = "{\"exp\": \(end).5, \"mediamtx_permissions\": [{\"action\": \"read\", \"path\": \"vod/film\"}]}"
        let token = TestToken.signed(claims, with: secret)
        #expect(MediaTokens.isToken(token))
        #expect(try await tokens.end(token, MediaTokens.watching, for: "/vod/film")?.secondsSince1970 == end + 60)
        #expect(try await tokens.end(token, MediaTokens.watching, for: "/vod/other") == nil)
        #expect(try await tokens.end(token, MediaTokens.publishing, for: "/vod/film") == nil)
        clock.advance(by: .seconds(3_661))
        await #expect(throws: TokenError.self) { try await tokens.end(token, MediaTokens.watching, for: "/vod/film") }
    }
}
