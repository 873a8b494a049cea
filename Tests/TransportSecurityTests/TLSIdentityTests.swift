import Foundation
import NIOSSL
import TestSupport
import Testing
import TransportSecurity

struct TLSIdentityTests {
    @Test func readsTheFilesAgainWhenTheyChange() async throws {
        let folder = try TemporaryDirectory(label: "tls")
        let certificate = try await TestCertificate(in: folder)
        let identity = try TLSIdentity(certificatePath: certificate.certificatePath, keyPath: certificate.keyPath)
        var failures: [TLSIdentityError] = []
        let first = identity.context { failures.append($0) }
        #expect(identity.context { failures.append($0) } === first)
        let renewed = try await TestCertificate(in: folder, name: "renewed")
        try replace(certificate.keyPath, with: renewed.keyPath)
        // Half of a renewal: the new key does not belong to the old certificate.
        #expect(identity.context { failures.append($0) } === first)
        #expect(identity.context { failures.append($0) } === first)
        #expect(failures.count == 1)
        #expect(failures.first?.description.contains("does not belong to the certificate") == true)
        try replace(certificate.certificatePath, with: renewed.certificatePath)
        let second = identity.context { failures.append($0) }
        #expect(second !== first && failures.count == 1)
        try FileManager.default.removeItem(atPath: certificate.certificatePath)
        #expect(identity.context { failures.append($0) } === second)
        #expect(failures.count == 2)
    }

    @Test(arguments: ["", "no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func saysWhatIsWrongWithTheFiles(_ text: String) async throws {
        let folder = try TemporaryDirectory(label: "tls")
        let certificate = try await TestCertificate(in: folder)
        let broken = try folder.write(text, to: "broken.pem")
        #expect {
            _ = try TLSIdentity(certificatePath: broken, keyPath: certificate.keyPath)
        } throws: { error in
            "\(error)".hasPrefix("\(broken): ")
        }
        #expect {
            _ = try TLSIdentity(certificatePath: certificate.certificatePath, keyPath: broken)
        } throws: { error in
            "\(error)".hasPrefix("\(broken): ")
        }
        #expect(throws: TLSIdentityError.self) {
            _ = try TLSIdentity(certificatePath: "\(folder.path)/none", keyPath: certificate.keyPath)
        }
    }

    private func replace(_ path: String, with other: String) throws {
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: other, toPath: path)
    }
}
