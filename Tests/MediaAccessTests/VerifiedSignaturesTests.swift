import Testing

@testable import MediaAccess

struct VerifiedSignaturesTests {
    private static func key(_ number: Int, _ folder: String = "/live/canalA.stream") -> VerifiedSignatures.Key {
        VerifiedSignatures.Key(text: "exp=1,id=\(number),sig=a", folder: folder)
    }

    private static func signature(_ number: Int) -> MediaSignature {
        MediaSignature(expiresAt: 1, id: "\(number)", code: "a")
    }

    @Test func aSignatureIsKnownForItsFolderOnly() {
        let verified = VerifiedSignatures()
        verified.insert(Self.signature(1), Self.key(1))
        #expect(verified.signature(Self.key(1)) == Self.signature(1))
        #expect(verified.signature(Self.key(1, "/live/canalB.stream")) == nil)
        #expect(verified.signature(Self.key(2)) == nil)
    }

    @Test func whatIsUsedStaysAndTheRestIsForgotten() {
        let verified = VerifiedSignatures(generationCount: 4)
        for number in 0..<40 {
            verified.insert(Self.signature(number), Self.key(number))
            #expect(verified.signature(Self.key(0)) != nil, "used each time, after \(number)")
        }
        let known = (0..<40).count { verified.signature(Self.key($0)) != nil }
        #expect(known <= 8, "two generations")
    }
}
