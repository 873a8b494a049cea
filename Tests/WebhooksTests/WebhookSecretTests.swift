import Testing

@testable import Webhooks

struct WebhookSecretTests {
    /// The expected value is from Python's `hmac`. `WebhookTests` of `EndToEndTests` lets the library of Standard
    /// Webhooks verify messages.
    @Test func theSignatureIsThatOfStandardWebhooks() throws {
        let secret = try #require(WebhookSecret(bytes: Array("secret-of-24-to-64-bytes!!".utf8)))
        #expect(secret.text == "whsec_c2VjcmV0LW9mLTI0LXRvLTY0LWJ5dGVzISE=")
        let signature = secret.signature(of: "msg_1", timestamp: 1_700_000_000, body: #"{"a":1}"#)
        #expect(signature == "v1,GH6PB5Cf3FhYN6tmX6etZrMb8o/+fc+GAt9LkMbCM5Y=")
    }

    @Test func aSecretHas24To64Bytes() {
        #expect(WebhookSecret(bytes: Array(repeating: 0, count: 23)) == nil)
        #expect(WebhookSecret(bytes: Array(repeating: 0, count: 65)) == nil)
        #expect(WebhookSecret().bytes.count == 32 && WebhookSecret() != WebhookSecret())
    }
}
