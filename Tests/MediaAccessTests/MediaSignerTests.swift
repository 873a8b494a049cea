import Crypto
import MediaAccess
import Testing

struct MediaSignerTests {
    private let signer = MediaSigner(key: SymmetricKey(data: [UInt8](repeating: 7, count: 32)))

    @Test func whatIsSignedIsValidForItsFolderOnly() throws {
        let signature = signer.sign("/live/canalA.stream", until: 1_764_000_000, id: "a1")
        #expect(signer.isValid(signature, for: "/live/canalA.stream"))
        #expect(!signer.isValid(signature, for: "/live/canalB.stream"))
        #expect(!signer.isValid(signature, for: "/live/canalA.strea"))
        let other = MediaSigner(key: SymmetricKey(data: [UInt8](repeating: 8, count: 32)))
        #expect(!other.isValid(signature, for: "/live/canalA.stream"))
    }

    /// Made with Python: `hmac`, `hashlib.sha256`, the first 16 bytes with `base64.urlsafe_b64encode`.
    @Test func theCodeIsWhatOtherProgramsCompute() {
        let signature = signer.sign("/live/canalA.stream", until: 1_764_000_000, id: "a1")
        #expect(signature.code == "HyBUsOezFu1VfkLSi5TtfQ")
    }

    @Test func everyPartIsSigned() {
        let signature = signer.sign("/vod/film", until: 1_764_000_000, id: "a1")
        for change in [
            MediaSignature(expiresAt: 1_764_000_001, id: "a1", code: signature.code),
            MediaSignature(expiresAt: 1_764_000_000, id: "a2", code: signature.code),
            MediaSignature(expiresAt: 1_764_000_000, id: "a1", code: String(signature.code.dropLast())),
            MediaSignature(expiresAt: 1_764_000_000, id: "a1", code: ""),
            MediaSignature(expiresAt: 1_764_000_000, id: "a1", code: signature.code + "A"),
        ] {
            #expect(!signer.isValid(change, for: "/vod/film"), "\(change)")
        }
    }

    @Test func theTextIsReadBack() throws {
        let signature = signer.sign("/vod/film", until: 1_764_000_000, id: "a1")
        #expect(signature.text.hasPrefix("exp=1764000000,id=a1,sig="))
        #expect(MediaSignature(parsing: signature.text) == signature)
    }

    @Test(arguments: [
        "", "exp=1,id=a", "exp=-1,id=a,sig=b", "exp=+1,id=a,sig=b", "exp=99999999999999999999,id=a,sig=b",
        "exp=,id=a,sig=b", "id=a,exp=1,sig=b", "exp=1,id=a,sig=b,more",
        "exp=1,id=\(String(repeating: "a", count: 300)),sig=b",
    ]) func textThatIsNotASignatureIsRefused(_ text: String) {
        #expect(MediaSignature(parsing: text) == nil)
    }

    /// Base64url has one text per code; another one would be another address of the same media for caches.
    @Test func aCodeHasOneText() {
        let signature = signer.sign("/vod/film", until: 1_764_000_000, id: "a1")
        let last = signature.code.last.map(String.init) ?? ""
        // The last of 22 letters has two bits of the code and four that must be zero.
        for letter in "BCDEFGHIJKLMNOPabcdefghijklmnop" where String(letter) != last {
            let other = MediaSignature(
                expiresAt: signature.expiresAt, id: "a1", code: String(signature.code.dropLast()) + String(letter))
            #expect(!signer.isValid(other, for: "/vod/film"), "\(letter)")
        }
    }
}
