import Foundation

/// A self-signed certificate for this machine, generated with openssl.
package struct TestCertificate: Sendable {
    package let certificatePath: String
    package let keyPath: String

    /// - Parameter name: the base name of the files in `folder`, and the certificate's common name.
    package init(in folder: TemporaryDirectory, name: String = "localhost") async throws {
        certificatePath = try folder.file("\(name).crt")
        keyPath = try folder.file("\(name).key")
        _ = try await ExternalTool("openssl").run([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
            "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", keyPath,
            "-out", certificatePath,
        ])
    }
}
