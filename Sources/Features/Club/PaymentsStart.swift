import Foundation
import MediaCore
import ServerSettings
package import Webhooks

/// Loads the secret that signs payments when the server starts.
package struct PaymentsStart {
    private let file: String

    /// - Parameter file: the file with the secret.
    package init(file: String) { self.file = file }

    /// Limit of the file, which holds one secret of at most 64 bytes in base64.
    private static let maximumByteCount = 1_024

    /// Blocks.
    ///
    /// - Throws: `ServerStartError` if the file cannot be read or holds no secret.
    package func open() throws -> WebhookVerification {
        let bytes: Data
        do {
            let handle = try FileHandle(forReadingFrom: URL(filePath: file))
            defer { try? handle.close() }
            bytes = try handle.read(upToCount: Self.maximumByteCount) ?? Data()
        } catch {
            throw ServerStartError("\(file): cannot be read: \(FileErrorText(error))")
        }
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let secret = WebhookSecret(parsing: text) else {
            throw ServerStartError(
                "\(file): the secret of payments is whsec_ and the base64 of 24 to 64 bytes, such as: "
                    + "echo whsec_$(head -c 32 /dev/urandom | base64)")
        }
        return WebhookVerification(secret)
    }
}
