import Crypto
import JSONDocument
import Testing

@testable import OfflineCopyFormat

struct CopyFormatTests {
    @Test func anyRangeIsEncryptedAsInTheWhole() throws {
        let cipher = CopyCipher(key: SymmetricKey(data: (0..<32).map { UInt8($0) }))
        let plain = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let whole = try cipher.apply(to: plain, at: 0)
        #expect(whole != plain)
        for range in [0..<1, 15..<17, 16..<4_096, 4_095..<5_000, 333..<334] {
            #expect(try cipher.apply(to: Array(plain[range]), at: Int64(range.lowerBound)) == Array(whole[range]))
        }
        #expect(try cipher.apply(to: whole, at: 0) == plain)
        // Far from the start the counter is another one, also beyond 2³¹ blocks.
        let far: Int64 = 48 << 30
        #expect(try cipher.apply(to: plain, at: far) != whole)
        #expect(try cipher.apply(to: try cipher.apply(to: plain, at: far + 7), at: far + 7) == plain)
    }

    /// NIST SP 800-38A §F.5.5 has another first counter, so the keystream is compared with blocks of the plain cipher.
    @Test func theCounterIsTheNumberOfTheBlock() throws {
        let key = SymmetricKey(size: .bits256)
        let zeros = [UInt8](repeating: 0, count: 64)
        let stream = try CopyCipher(key: key).apply(to: zeros, at: 0)
        #expect(try CopyCipher(key: key).apply(to: Array(zeros.prefix(16)), at: 32) == Array(stream[32..<48]))
    }

    @Test func aKeyIsForOneDeviceAndOneCopy() throws {
        let device = Curve25519.KeyAgreement.PrivateKey()
        let key = SymmetricKey(size: .bits256)
        let wrap = try CopyKeyWrap(key, for: Array(device.publicKey.rawRepresentation), copy: "c1", device: "d1")
        #expect(try wrap.key(with: device, copy: "c1", device: "d1") == key)
        #expect(throws: (any Error).self) { try wrap.key(with: device, copy: "c2", device: "d1") }
        #expect(throws: (any Error).self) { try wrap.key(with: device, copy: "c1", device: "d2") }
        #expect(throws: (any Error).self) {
            try wrap.key(with: Curve25519.KeyAgreement.PrivateKey(), copy: "c1", device: "d1")
        }
        #expect(throws: (any Error).self) { try CopyKeyWrap(key, for: [1, 2], copy: "c1", device: "d1") }
    }

    @Test func anIndexIsReadAsItWasWritten() throws {
        let index = CopyIndex(files: [
            .init(path: "playlist.m3u8", byteCount: 10), .init(path: "a/0.m4s", byteCount: 5),
        ])
        let bytes = index.rendered()
        let count = try CopyIndex.byteCount(header: Array(bytes.prefix(CopyIndex.headerByteCount)))
        #expect(count == bytes.count - CopyIndex.headerByteCount)
        let read = try CopyIndex(parsing: Array(bytes.dropFirst(CopyIndex.headerByteCount)))
        #expect(read == index)
        let start = Int64(bytes.count)
        #expect(
            try read.ranges(indexByteCount: count) == [
                "playlist.m3u8": start..<start + 10, "a/0.m4s": start + 10..<start + 15,
            ])
    }

    @Test(arguments: [
        #"{}"#, #"{"files": [["a"]]}"#, #"{"files": [["a", -1]]}"#, #"{"files": [["a", 1e30]]}"#,
        #"{"files": [[1, 1]]}"#, "", "[",
    ])
    func whatIsNoIndexIsRefused(_ json: String) {
        #expect(throws: CopyIndex.ParsingError.wrongIndex) { try CopyIndex(parsing: Array(json.utf8)) }
        #expect(throws: CopyIndex.ParsingError.wrongHeader) {
            try CopyIndex.byteCount(header: Array("ANTCOPY1".utf8) + [UInt8](repeating: 255, count: 8))
        }
        let huge = CopyIndex(files: [.init(path: "a", byteCount: CopyCipher.maximumByteCount)])
        #expect(throws: CopyIndex.ParsingError.wrongIndex) { try huge.ranges(indexByteCount: 10) }
    }

    @Test func chunksCoverTheCopy() throws {
        let plan = try #require(ChunkPlan(byteCount: 2_500, chunkByteCount: 1_024))
        #expect(plan.count == 3)
        #expect((0..<3).map { plan.range(of: $0) } == [0..<1_024, 1_024..<2_048, 2_048..<2_500])
        #expect(plan.chunks(in: 0..<1) == 0..<1 && plan.chunks(in: 1_023..<1_025) == 0..<2)
        #expect(plan.chunks(in: 2_499..<2_500) == 2..<3 && plan.chunks(in: 5..<5).isEmpty)
        #expect(ChunkPlan(byteCount: 2_048, chunkByteCount: 1_024)?.count == 2)
        for (byteCount, chunk) in [(Int64(0), 1_024), (-1, 1_024), (.max, 1 << 20), (1 << 40, 1_024), (10, 0)] {
            #expect(ChunkPlan(byteCount: byteCount, chunkByteCount: chunk) == nil)
        }
        #expect(ChunkPlan(byteCount: CopyCipher.maximumByteCount)?.count == ChunkPlan.maximumCount)
    }

    @Test func aManifestIsReadAsItWasWrittenAndNamesNoOtherFolder() throws {
        let plan = try #require(ChunkPlan(byteCount: 1_500, chunkByteCount: 1_024))
        let digest = String(repeating: "0a", count: 32)
        var manifest = CopyManifest(
            copy: "abc", rendition: "video", plan: plan, digest: digest, chunkDigests: [digest, digest],
            entityTag: "\"abc\"", url: "/copies/a", metalink: "/copies/b")
        func parsed() throws -> CopyManifest? {
            CopyManifest(try JSONParser.parse(Array(JSONText.object(manifest.fields).rendered.utf8)))
        }
        #expect(try parsed() == manifest)
        for name in ["", "../x", "a/b", "a.b", String(repeating: "a", count: 65)] {
            manifest.copy = name
            #expect(try parsed() == nil, "\(name)")
        }
        manifest.copy = "abc"
        manifest.chunkDigests = [digest]
        #expect(try parsed() == nil)
        manifest.chunkDigests = [digest, "\(digest.dropLast())G"]
        #expect(try parsed() == nil)
    }

    @Test func aMetalinkHasSizeDigestsAndAddress() throws {
        let plan = try #require(ChunkPlan(byteCount: 1_500, chunkByteCount: 1_024))
        let manifest = CopyManifest(
            copy: "abc", rendition: "video", plan: plan, digest: "dd", chunkDigests: ["aa", "bb"], entityTag: "\"abc\"",
            url: "http://h/x?a=1&b=2", metalink: "")
        let text = CopyMetalink(manifest, name: "a<b>.bin").rendered()
        #expect(text.contains("<size>1500</size>") && text.contains("<hash type=\"sha-256\">dd</hash>"))
        #expect(text.contains("<pieces length=\"1024\" type=\"sha-256\">\n<hash>aa</hash>\n<hash>bb</hash>\n</pieces>"))
        #expect(text.contains("<url>http://h/x?a=1&amp;b=2</url>") && text.contains("a&lt;b&gt;.bin"))
    }
}
