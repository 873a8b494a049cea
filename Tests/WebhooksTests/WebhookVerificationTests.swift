import MediaCore
import TestSupport
import Testing

@testable import Webhooks

struct WebhookVerificationTests {
    private let secret = WebhookSecret()
    private let now = TestClock.start
    private let body = Array(#"{"type":"payment.completed"}"#.utf8)

    private func failure(
        id: String? = "msg_1", age: Int64 = 0, timestamp: String? = nil, signature: String? = nil, body: [UInt8]? = nil
    ) -> WebhookVerification.Failure? {
        let time = timestamp ?? "\(now.secondsSince1970 - age)"
        let signed = secret.signature(
            of: "msg_1", timestamp: now.secondsSince1970 - age, body: String(decoding: self.body, as: UTF8.self))
        do throws(WebhookVerification.Failure) {
            try WebhookVerification(secret).check(
                id: id, timestamp: time, signatures: signature ?? "v1,AAAA v2,x \(signed)", body: body ?? self.body,
                at: now)
            return nil
        } catch { return error }
    }

    @Test func aSignedMessageIsTaken() {
        #expect(failure() == nil)
        #expect(failure(age: 300) == nil)
        #expect(failure(age: -300) == nil)
    }

    @Test func anythingElseIsRefused() {
        #expect(failure(age: 301) == .oldTimestamp)
        #expect(failure(age: -301) == .oldTimestamp)
        #expect(failure(timestamp: "\(Int64.min)") == .oldTimestamp)
        #expect(failure(timestamp: "now") == .missingHeader)
        #expect(failure(id: nil) == .missingHeader)
        #expect(failure(id: "msg_2") == .wrongSignature)
        #expect(failure(body: [1]) == .wrongSignature)
        for signature in ["", "v1", "v1,", "v1,!!", "v2,AAAA", String(repeating: "v1,AAAA ", count: 1_000)] {
            #expect(failure(signature: signature) == .wrongSignature, "\(signature.prefix(20))")
        }
    }

    @Test func secretsAreParsedAsTheyAreWritten() {
        #expect(WebhookSecret(parsing: secret.text) == secret)
        for text in ["", "whsec_", "whsec_AAAA", "whsec_!", String(secret.text.dropFirst(6))] {
            #expect(WebhookSecret(parsing: text) == nil)
        }
    }
}
