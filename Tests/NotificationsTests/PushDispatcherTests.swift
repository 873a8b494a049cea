import Accounts
import Community
import Crypto
import Database
import DatabaseTestSupport
import Logging
import MediaCore
import Synchronization
import TestSupport
import Testing
import WebPush

@testable import Notifications

@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct PushDispatcherTests {
    /// A push service that answers as the test wants.
    private final class Service: PushSending {
        let status: Mutex<Int?> = Mutex(201)
        let requests = Mutex<[PushRequest]>([])
        /// The end of the address of a push service that does not answer until the gate is open.
        let silent: Mutex<(end: String, gate: Gate)?> = Mutex(nil)

        func send(_ request: PushRequest) async -> Int? {
            requests.withLock { $0.append(request) }
            if let (end, gate) = silent.withLock({ $0 }), request.endpoint.hasSuffix(end) { await gate.wait() }
            return status.withLock { $0 }
        }

        func count(of end: String) -> Int { requests.withLock { $0.count { $0.endpoint.hasSuffix(end) } } }

        var count: Int { requests.withLock { $0.count } }
        var first: PushRequest? { requests.withLock { $0.first } }
    }

    private struct Text: PushText {
        func content(_ notification: MemberNotification, language: String) -> (text: String, path: String) {
            ("\(language): \(notification.kind.rawValue)", "/comunidad/avisos/\(notification.id)")
        }
    }

    private let fixture: NotificationsFixture
    private let service = Service()
    private let dispatcher: PushDispatcher
    private var notifications: Notifications { fixture.notifications }
    private let browserKey = P256.KeyAgreement.PrivateKey()
    private static let secret = [UInt8](repeating: 3, count: 16)

    init() async throws {
        fixture = try await NotificationsFixture()
        dispatcher = PushDispatcher(
            notifications: fixture.notifications, sender: service, text: Text(),
            key: try PushServerKey(derivedFrom: NotificationsFixture.key), contact: "https://tv.example.org",
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func subscribe(_ user: Caller, _ path: String = "1") async throws -> PushSubscription {
        let keys = try PushKeys(
            publicKey: Array(browserKey.publicKey.x963Representation), authentication: Self.secret)
        return try await notifications.subscribe(
            "https://push.example.org:8443/\(path)", keys, language: "es", by: user)
    }

    /// Decrypts as a browser does (RFC 8188 §2, RFC 8291 §3.4), with the steps written once more.
    private func decrypted(_ body: [UInt8]) throws -> String {
        let (salt, length) = (Array(body[0..<16]), Int(body[20]))
        let sender = Array(body[21..<(21 + length)])
        let secret = try browserKey.sharedSecretFromKeyAgreement(with: .init(x963Representation: sender))
        let own = Array(browserKey.publicKey.x963Representation)
        let material = secret.withUnsafeBytes { bytes in
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: bytes), salt: Self.secret,
                info: Array("WebPush: info\0".utf8) + own + sender, outputByteCount: 32)
        }
        func derived(_ purpose: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: material, salt: salt, info: Array("Content-Encoding: \(purpose)\0".utf8),
                outputByteCount: count)
        }
        let nonce = derived("nonce", 12).withUnsafeBytes { Array($0) }
        let box = try AES.GCM.SealedBox(combined: nonce + Array(body[(21 + length)...]))
        let plain = Array(try AES.GCM.open(box, using: derived("aes128gcm", 16)))
        #expect(plain.last == 2)
        return String(decoding: plain.dropLast(), as: UTF8.self)
    }

    @Test func aBrowserIsToldOncePerWindow() async throws {
        let (ana, leo) = (try await fixture.member("ana"), try await fixture.member("leo"))
        _ = try await subscribe(leo)
        for title in ["a", "b"] {
            _ = try await fixture.publish(title, by: ana)
            try await notifications.tellAll()
            try await dispatcher.sendDue()
        }
        let request = try #require(service.first)
        #expect(service.count == 1, "nobody else has a browser, and the second video is of the same window")
        let fields = Dictionary(request.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        #expect(fields["TTL"] == "86400" && fields["Urgency"] == "low" && fields["Content-Encoding"] == "aes128gcm")
        let told = try #require(try await fixture.told(leo).first)
        #expect(fields["Topic"] == told.id.text && told.id.text.utf8.count <= 32)
        #expect(fields["Authorization"]?.hasPrefix("vapid t=") == true)
        let message = try decrypted(request.body)
        #expect(message.contains("es: new-video") && message.contains(told.id.text), "\(message)")
        fixture.clock.advance(by: .seconds(86_400))
        try await dispatcher.sendDue()
        #expect(service.count == 1)
    }

    /// Messages that come while the push service of one member does not answer go to all others.
    @Test func aSlowPushServiceDelaysNobodyElse() async throws {
        let ana = try await fixture.member("ana")
        let (leo, eva) = (try await fixture.member("leo"), try await fixture.member("eva"))
        _ = try await subscribe(leo, "leo")
        _ = try await subscribe(eva, "eva")
        let gate = Gate()
        service.silent.withLock { $0 = ("leo", gate) }
        _ = try await fixture.publish("a", by: ana)
        try await notifications.tellAll()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await dispatcher.sendDue() }
            try await eventually { service.count(of: "eva") == 1 && service.count(of: "leo") == 1 }
            // The next one becomes due while the first is still being sent to somebody.
            fixture.clock.advance(by: .seconds(3_600))
            _ = try await fixture.publish("b", by: ana)
            try await notifications.tellAll()
            try await eventually { service.count(of: "eva") == 2 }
            #expect(service.count(of: "leo") == 1, "one at a time for each member")
            gate.open()
            try await group.waitForAll()
            #expect(service.count(of: "leo") == 2)
        }
    }

    @Test func whatIsNotTakenIsTriedAgainAndThenGivenUp() async throws {
        let (ana, leo) = (try await fixture.member("ana"), try await fixture.member("leo"))
        _ = try await subscribe(leo)
        service.status.withLock { $0 = nil }
        _ = try await fixture.publish("a", by: ana)
        try await notifications.tellAll()
        for attempt in 1...(PushDispatcher.maximumAttemptCount + 2) {
            try await dispatcher.sendDue()
            try await dispatcher.sendDue()
            #expect(service.count == min(attempt, PushDispatcher.maximumAttemptCount))
            fixture.clock.advance(by: PushDispatcher.schedule.delay(after: attempt))
            service.status.withLock { $0 = 503 }
        }
    }

    @Test func aBrowserThatIsGoneIsRemoved() async throws {
        let (ana, leo) = (try await fixture.member("ana"), try await fixture.member("leo"))
        let user = try NotificationsFixture.id(leo)
        for (status, number) in [(404, 1), (410, 2)] {
            _ = try await subscribe(leo, "\(number)")
            service.status.withLock { $0 = status }
            fixture.clock.advance(by: .seconds(3_600))
            _ = try await fixture.publish("v\(number)", by: ana)
            try await notifications.tellAll()
            try await dispatcher.sendDue()
            #expect(service.count == number)
            #expect(try await notifications.subscriptions(of: user).isEmpty)
        }
    }

    /// The operator's rule for imports applies to members who may import.
    @Test func addressesOfTheNetworkAreForWhoMayImport() async throws {
        notifications.settings.allowsPrivatePush = true
        let (ana, leo) = (try await fixture.member("ana"), try await fixture.member("leo"))
        let importer = try await fixture.member("bea", role: .broadcaster)
        let keys = try PushKeys(
            publicKey: Array(browserKey.publicKey.x963Representation), authentication: Self.secret)
        let plain = "http://192.0.2.1:9/private"
        #expect(
            await NotificationsFixture.code {
                try await notifications.subscribe(plain, keys, language: "es", by: leo)
            } == .invalidField)
        _ = try await notifications.subscribe(plain, keys, language: "es", by: importer)
        // The name may lead into the network, which only the sender sees.
        _ = try await subscribe(leo)
        _ = try await fixture.publish("a", by: ana)
        try await notifications.tellAll()
        try await dispatcher.sendDue()
        let reach = service.requests.withLock { requests in
            Dictionary(uniqueKeysWithValues: requests.map { ($0.endpoint, $0.mayReachPrivateAddresses) })
        }
        #expect(reach == [plain: true, "https://push.example.org:8443/1": false])
    }

    @Test func browsersHaveALimitAndBelongToOneMember() async throws {
        let (ana, leo) = (try await fixture.member("ana"), try await fixture.member("leo"))
        let (user, other) = (try NotificationsFixture.id(leo), try NotificationsFixture.id(ana))
        var first: PushSubscription?
        for number in 0...PushSubscription.maximumCount {
            let added = try await subscribe(leo, "\(number)")
            first = first ?? added
        }
        let kept = try await notifications.subscriptions(of: user)
        #expect(kept.count == PushSubscription.maximumCount && !kept.contains { $0.id == first?.id })
        // The browser of somebody who logs in with another account is theirs.
        _ = try await subscribe(ana, "5")
        #expect(try await notifications.subscriptions(of: user).count == PushSubscription.maximumCount - 1)
        let own = try #require(kept.first?.id)
        #expect(await NotificationsFixture.code { try await notifications.unsubscribe(own, of: other) } == .notFound)
        try await notifications.unsubscribe(own, of: user)
        let keys = try #require(kept.first?.keys)
        for address in ["http://push.example.org/", "https://", "https://a:b@example.org/", "ftp://x/", "https://é/"] {
            let code = await NotificationsFixture.code {
                try await notifications.subscribe(address, keys, language: "es", by: leo)
            }
            #expect(code == .invalidField, "\(address)")
        }
    }
}
