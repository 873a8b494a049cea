package import JSONDocument

/// The data with which a client downloads a copy: its size, the digests of its chunks, and its address.
package struct CopyManifest: Sendable, Hashable {
    /// The ID of the copy.
    package var copy: String
    package var rendition: String
    package var plan: ChunkPlan
    /// The SHA-256 of the whole copy, in hexadecimal digits.
    package var digest: String
    /// The SHA-256 of each chunk, in hexadecimal digits.
    package var chunkDigests: [String]
    /// The strong entity tag, with quotation marks.
    package var entityTag: String
    /// The address of the bytes, absolute or relative to the server; it needs no header.
    package var url: String
    /// The address of the same as Metalink 4; it needs no header.
    package var metalink: String

    package init(
        copy: String, rendition: String, plan: ChunkPlan, digest: String, chunkDigests: [String], entityTag: String,
        url: String, metalink: String
    ) {
        (self.copy, self.rendition, self.plan) = (copy, rendition, plan)
        (self.digest, self.chunkDigests, self.entityTag) = (digest, chunkDigests, entityTag)
        (self.url, self.metalink) = (url, metalink)
    }

    /// The fields of the JSON.
    package var fields: [JSONText.Field] {
        [
            ("copy", .string(copy)), ("rendition", .string(rendition)), ("byteCount", .integer(Int(plan.byteCount))),
            ("chunkByteCount", .integer(plan.chunkByteCount)), ("sha256", .string(digest)),
            ("chunks", .array(chunkDigests.map(JSONText.string))), ("etag", .string(entityTag)),
            ("url", .string(url)), ("metalink", .string(metalink)),
        ]
    }

    /// Parses the JSON; `nil` if it is not a manifest.
    package init?(_ node: JSONNode) {
        guard let copy = node["copy"]?.string, Self.isIdentifier(copy), let rendition = node["rendition"]?.string,
            let byteCount = node["byteCount"]?.integer, let chunkByteCount = node["chunkByteCount"]?.integer,
            let plan = ChunkPlan(byteCount: Int64(byteCount), chunkByteCount: chunkByteCount),
            let digest = node["sha256"]?.string, Self.isDigest(digest),
            let chunks = node["chunks"]?.elements?.compactMap(\.string), chunks.count == plan.count,
            chunks.allSatisfy(Self.isDigest), let etag = node["etag"]?.string, let url = node["url"]?.string,
            let metalink = node["metalink"]?.string
        else { return nil }
        self.init(
            copy: copy, rendition: rendition, plan: plan, digest: digest, chunkDigests: chunks, entityTag: etag,
            url: url, metalink: metalink)
    }

    private static func isDigest(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }

    /// Whether a text can name a folder: the ID comes from a server and becomes one.
    package static func isIdentifier(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: "_")
            }
    }
}
