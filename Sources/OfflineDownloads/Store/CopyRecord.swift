package import JSONDocument
import MediaCore
import OfflineCopyFormat

/// The data that a device keeps about a copy beside its bytes: manifest, rental, and the title's details.
package struct CopyRecord: Sendable {
    /// The API's answer, as it came.
    let node: JSONNode
    let manifest: CopyManifest
    package let server: String
    package let rental: String
    package let title: String
    package let name: String
    package let note: RentalNote

    /// - Parameters:
    ///   - node: the manifest as the API answers it.
    ///   - server: the server that has answered.
    /// - Returns: `nil` if it is not a manifest.
    init?(_ node: JSONNode, server: String) {
        guard let manifest = CopyManifest(node), let rental = node["rental"]?["id"]?.string,
            CopyManifest.isIdentifier(rental), let note = RentalNote(node["rental"]), let title = node["title"]?.string
        else { return nil }
        (self.node, self.manifest, self.server, self.rental) = (node, manifest, server, rental)
        (self.title, self.note) = (title, note)
        name = UntrustedText.escaped(node["name"]?.string ?? title)
    }

    /// The title's details, as `/api/v1/titles/{id}/details` has them.
    package var details: JSONNode? { node["details"] }
    package var rendition: String { manifest.rendition }
    package var byteCount: Int64 { manifest.plan.byteCount }

    var json: JSONText { .object([("server", .string(server)), ("manifest", JSONText(node))]) }

    init?(stored: JSONNode) {
        guard let server = stored["server"]?.string, let node = stored["manifest"] else { return nil }
        self.init(node, server: server)
    }
}
