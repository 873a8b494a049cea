import Accounts
import Crypto
import Database
import DatabaseTestSupport
import MediaCore
import OfflineCopyFormat
import Synchronization
import TestSupport
import Testing

@testable import VideoClub

@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct OfflineCopyTests {
    /// Titles whose bytes the test decides.
    private final class FakeSource: CopySource {
        struct Contents: CopyContents {
            var bytes: [UInt8]
            var revision: String
            var byteCount: Int64 { Int64(bytes.count) }
            func read(_ range: Range<Int64>) async throws -> [UInt8] {
                Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
            }
        }

        let contents = Mutex(
            Contents(bytes: (0..<(5 << 19)).map { UInt8(truncatingIfNeeded: $0 &* 7) }, revision: "1"))

        func renditions(ofTitle id: String) async throws -> [CopyRendition] {
            [
                CopyRendition(
                    name: "video", byteCount: contents.withLock(\.byteCount), bandwidth: 1, width: 2, height: 2,
                    codecs: [])
            ]
        }
        func contents(ofTitle id: String, rendition: String) async throws -> any CopyContents {
            contents.withLock { $0 }
        }
    }

    private struct Setting {
        let fixture: ClubFixture
        let source = FakeSource()
        let masterKey = SymmetricKey(size: .bits256)
        let copies: OfflineCopies
        let ana: Caller
        let user: UserID
        let rental: Rental
        let key = Curve25519.KeyAgreement.PrivateKey()
        let device: ClubDevice
        let secret: Secret

        init() async throws {
            fixture = try await ClubFixture()
            ana = try await fixture.member("ana", credits: 20)
            user = try ClubFixture.id(ana)
            try await fixture.price("a", 5)
            copies = OfflineCopies(club: fixture.club, key: masterKey, source: source)
            rental = try await fixture.club.rent("a", key: nil, by: ana).rental
            (device, secret) = try await fixture.club.addDevice(
                "laptop", publicKey: Array(key.publicKey.rawRepresentation), by: ana)
        }

        /// The copy, once a server has prepared it.
        func ready() async throws -> OfflineCopy {
            let copies = OfflineCopies(club: fixture.club, key: masterKey, source: source)
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await copies.run { _, _ in } }
                defer { group.cancelAll() }
                return try await eventually("the copy is prepared") {
                    let answer = try await copies.copy(for: rental, rendition: "video", device: device.id)
                    guard case .ready(let copy) = answer else { return nil }
                    return copy
                }
            }
        }

        func code(_ body: () async throws -> some Any) async -> Refusal.Code? { await ClubFixture.code(body) }
    }

    @Test func aCopyIsPreparedOnceAndItsKeyOpensIt() async throws {
        let setting = try await Setting()
        let copy = try await setting.ready()
        let digests = try await setting.copies.chunkDigests(of: copy)
        #expect(digests.count == 3)
        let bytes = try await setting.copies.bytes(of: copy, title: "a")
        let plan = try #require(ChunkPlan(byteCount: copy.byteCount, chunkByteCount: copy.chunkByteCount))
        var whole: [UInt8] = []
        for index in 0..<plan.count {
            let chunk = try await bytes.read(plan.range(of: index))
            #expect(Array(SHA256.hash(data: chunk)) == digests[index])
            #expect(try await setting.copies.chunkDigest(of: copy, range: plan.range(of: index)) == digests[index])
            whole += chunk
        }
        #expect(try await setting.copies.chunkDigest(of: copy, range: 1..<9) == nil)
        #expect(Array(SHA256.hash(data: whole)) == copy.digest)
        #expect(try await bytes.read(1_000_003..<1_000_100) == Array(whole[1_000_003..<1_000_100]))
        // The same copy for everybody who asks again, and no key before the activation.
        guard case .ready(copy) = try await setting.copies.copy(for: setting.rental, rendition: "video", device: nil)
        else { throw SQLError(.failed, "another copy") }
        #expect(
            await setting.code {
                try await setting.copies.wrappedKey(for: setting.rental, rendition: "video", device: setting.device)
            } == .rentalNotActivated)
        let active = try await setting.fixture.club.activate(setting.rental.id, by: setting.ana)
        let wrapped = try await setting.copies.wrappedKey(for: active, rendition: "video", device: setting.device)
        let key = try wrapped.wrap.key(with: setting.key, copy: copy.id.text, device: setting.device.id.text)
        #expect(try CopyCipher(key: key).apply(to: whole, at: 0) == setting.source.contents.withLock(\.bytes))
    }

    @Test func whoHasNotRentedAndWhoseTimeIsOverGetNothing() async throws {
        let setting = try await Setting()
        let copy = try await setting.ready()
        let (copies, id) = (setting.copies, setting.rental.id)
        let eva = try ClubFixture.id(try await setting.fixture.member("eva"))
        for (rental, user) in [(id, eva), (OpaqueID(), setting.user)] {
            #expect(await setting.code { try await copies.rental(rental, of: user) } == .rentalNeeded)
        }
        #expect(try await copies.rental(id, of: setting.user) == setting.rental)
        let device = setting.device.id
        #expect(try await copies.downloadedCopy(copy.id, rental: id, device: device).copy == copy)
        #expect(
            await setting.code { try await copies.downloadedCopy(copy.id, rental: id, device: OpaqueID()) }
                == .deviceRemoved)
        let active = try await setting.fixture.club.activate(id, by: setting.ana)
        setting.fixture.clock.advance(by: active.timeToPlay)
        for attempt in 1...2 {
            #expect(await setting.code { try await copies.rental(id, of: setting.user) } == .rentalEnded, "\(attempt)")
            #expect(
                await setting.code { try await copies.downloadedCopy(copy.id, rental: id, device: device) }
                    == .rentalEnded)
            #expect(
                await setting.code {
                    try await copies.wrappedKey(for: active, rendition: "video", device: setting.device)
                } == .rentalEnded)
            // A sweep deletes what is left of it.
            try await setting.fixture.club.sweep()
        }
        let left = try await setting.fixture.database.read { db in try CopyRows.copy(copy.id, db) }
        #expect(left == nil)
    }

    @Test func aRefundAndASuspensionEndDownloads() async throws {
        for end in ["refund", "suspension", "removal"] {
            let setting = try await Setting()
            let copy = try await setting.ready()
            switch end {
            case "refund":
                _ = try await setting.fixture.club.refund(setting.rental.id, by: setting.fixture.operatorCaller)
            case "suspension":
                try await setting.fixture.database.write { db in
                    try db.execute("UPDATE account SET state = 'suspended'")
                }
                #expect(try await setting.fixture.club.device(with: setting.secret) == nil)
            default:
                try await setting.fixture.club.removeDevice(setting.device.id, by: setting.ana)
                #expect(try await setting.fixture.club.device(with: setting.secret) == nil)
            }
            let code = await setting.code {
                try await setting.copies.downloadedCopy(copy.id, rental: setting.rental.id, device: setting.device.id)
            }
            #expect(code == (end == "removal" ? .deviceRemoved : .rentalEnded), "\(end)")
        }
    }

    @Test func aTitleThatChangesTakesItsCopiesAlong() async throws {
        let setting = try await Setting()
        let old = try await setting.ready()
        setting.source.contents.withLock { $0 = .init(bytes: [1, 2, 3], revision: "2") }
        #expect(await setting.code { try await setting.copies.bytes(of: old, title: "a") } == .copyReplaced)
        let new = try await setting.ready()
        #expect(new.id != old.id && new.byteCount == 3)
        #expect(
            await setting.code {
                try await setting.copies.downloadedCopy(old.id, rental: setting.rental.id, device: nil)
            } == .copyReplaced)
    }

    @Test func aCopyIsPartialAndThenDownloaded() async throws {
        let setting = try await Setting()
        func states(_ device: OpaqueID? = nil) async throws -> [CopyDownloadState] {
            try await setting.copies.renditions(for: setting.rental, device: device).map(\.state)
        }
        #expect(try await states() == [.none])
        _ = try await setting.ready()
        let device = setting.device.id
        #expect(try await states() == [.partial])
        try await setting.copies.note(.downloaded, for: setting.rental, rendition: "video", device: device)
        // Looking at the manifest again changes nothing.
        _ = try await setting.copies.copy(for: setting.rental, rendition: "video", device: device)
        #expect(try await states() == [.downloaded])
        #expect(try await states(OpaqueID()) == [.none])
        let club = setting.fixture.club
        let held = try #require(try await club.copiesOnDevices(of: [setting.rental])[setting.rental.id])
        #expect(held.map(\.deviceName) == ["laptop"] && held.map(\.rendition) == ["video"])
        #expect(held.state == .downloaded && held.first?.device == device)
        try await setting.copies.note(.none, for: setting.rental, rendition: "video", device: device)
        #expect(try await states() == [.none])
        #expect(try await club.copiesOnDevices(of: [setting.rental]).isEmpty)
        #expect(
            await setting.code {
                try await setting.copies.note(.partial, for: setting.rental, rendition: "x", device: device)
            } == .notFound)
    }

    @Test func devicesAreLimitedAndHaveNames() async throws {
        let setting = try await Setting()
        let (club, key) = (setting.fixture.club, [UInt8](repeating: 9, count: 32))
        for name in ["", " ", String(repeating: "x", count: 61)] {
            #expect(
                await setting.code { try await club.addDevice(name, publicKey: key, by: setting.ana) } == .invalidField)
        }
        #expect(await setting.code { try await club.addDevice("x", publicKey: [1], by: setting.ana) } == .invalidField)
        let count = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    (try? await club.addDevice("x", publicKey: key, by: setting.ana)) == nil ? 0 : 1
                }
            }
            return await group.reduce(0, +)
        }
        #expect(count == ClubDevice.maximumCount - 1)
        #expect(try await club.devices(of: setting.user).count == ClubDevice.maximumCount)
        let found = try #require(try await club.device(with: setting.secret))
        #expect(found.id == setting.device.id && found.name == "laptop")
        let noted = try #require(try await club.devices(of: setting.user).last)
        #expect(noted.lastUsedAt == club.now)
        let eva = try await setting.fixture.member("eva")
        #expect(await setting.code { try await club.removeDevice(setting.device.id, by: eva) } == .notFound)
        try await club.removeDevice(setting.device.id, by: setting.ana)
        let audit = try await setting.fixture.accounts.auditEntries(after: 0, limit: 1_000)
        let text = "\(setting.device.id): laptop"
        func entries(_ event: AuditEvent) -> [AuditEntry] { audit.filter { $0.event == event.rawValue } }
        #expect(entries(.offlineDeviceRemoved).map(\.before) == [text])
        let additions = entries(.offlineDeviceAdded)
        #expect(additions.count == ClubDevice.maximumCount && additions.first?.after == text)
        #expect(additions.allSatisfy { $0.actorID == setting.user })
    }
}
