import Crypto
import Foundation
import JSONDocument

/// The identity of a device at a server: its credential and its key pair.
package struct DeviceIdentity: Sendable {
    package var id: String
    package var name: String
    /// The server, such as `https://tv.example.org`.
    package var server: String
    let secret: String
    let privateKey: Curve25519.KeyAgreement.PrivateKey

    init(
        id: String, name: String, server: String, secret: String, privateKey: Curve25519.KeyAgreement.PrivateKey
    ) {
        (self.id, self.name, self.server) = (id, name, server)
        (self.secret, self.privateKey) = (secret, privateKey)
    }

    var json: JSONText {
        .object([
            ("id", .string(id)), ("name", .string(name)), ("server", .string(server)), ("secret", .string(secret)),
            ("privateKey", .string(privateKey.rawRepresentation.base64EncodedString())),
        ])
    }

    init?(_ node: JSONNode) {
        guard let id = node["id"]?.string, let name = node["name"]?.string, let server = node["server"]?.string,
            let secret = node["secret"]?.string, let text = node["privateKey"]?.string,
            let data = Data(base64Encoded: text),
            let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: data)
        else { return nil }
        self.init(id: id, name: name, server: server, secret: secret, privateKey: key)
    }
}
