import Crypto
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import WebPush

/// The sent messages, decrypted by the library of https://pypi.org/project/http-ece/.
struct PushInteroperabilityTests {
    @Test(.timeLimit(.minutes(1))) func anotherLibraryDecryptsWhatIsSent() async throws {
        let key = P256.KeyAgreement.PrivateKey()
        let secret = [UInt8](repeating: 9, count: PushKeys.authenticationByteCount)
        let keys = try PushKeys(publicKey: Array(key.publicKey.x963Representation), authentication: secret)
        let program = """
            import base64, sys, http_ece
            from cryptography.hazmat.primitives.asymmetric import ec
            body, scalar, secret = (base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)) for text in sys.argv[1:])
            key = ec.derive_private_key(int.from_bytes(scalar, "big"), ec.SECP256R1())
            content = http_ece.decrypt(body, private_key=key, auth_secret=secret, version="aes128gcm")
            print(content.decode())
            """
        let python = "\(Repository.path)/.build/icalendar/bin/python"
        try #require(
            FileManager.default.isExecutableFile(atPath: python), "run Scripts/setup.sh test, which installs it")
        for text in ["x", "Vídeo nuevo: Salida en Cádiz", String(repeating: "ñ", count: 1_900)] {
            let body = try PushContent.encrypted(Array(text.utf8), for: keys)
            let lines = try await ExternalTool(path: python).run([
                "-c", program, Base64URL.text(body), Base64URL.text(Array(key.rawRepresentation)),
                Base64URL.text(secret),
            ]).lines
            #expect(lines.map(String.init) == [text])
        }
    }
}
