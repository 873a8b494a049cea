/// A copy as Metalink 4 (RFC 5854), with the digests of its chunks as pieces.
package struct CopyMetalink: Sendable {
    /// RFC 5854 §7.
    package static let mediaType = "application/metalink4+xml"

    package var manifest: CopyManifest
    /// The name of the file.
    package var name: String

    package init(_ manifest: CopyManifest, name: String) { (self.manifest, self.name) = (manifest, name) }

    package func rendered() -> String {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <metalink xmlns="urn:ietf:params:xml:ns:metalink">
            <file name="\(Self.escaped(name))">
            <size>\(manifest.plan.byteCount)</size>
            <hash type="sha-256">\(manifest.digest)</hash>
            <pieces length="\(manifest.plan.chunkByteCount)" type="sha-256">

            """
        for digest in manifest.chunkDigests { text += "<hash>\(digest)</hash>\n" }
        return text + "</pieces>\n<url>\(Self.escaped(manifest.url))</url>\n</file>\n</metalink>\n"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
