package import APIContract
import JSONDocument

/// The fields of a rendition that can be downloaded.
package struct CopyOfferRenditionFields: ObjectFields {
    package static let name = "CopyOfferRendition"
    package static let fields = CopyOfferRenditionFields()

    package let rendition = Field<String>("rendition", "name of the rendition", .example("video"))
    package let byteCount = Field<Int>(
        "byteCount", "exact size of its copy in bytes", .minimum(1), .example(.integer(734_003_200)))
    package let bandwidth = Field<Int>("bandwidth", "bits per second", .example(.integer(2_500_000)))
    package let width = Field<Int?>("width", "width in pixels; null for audio")
    package let height = Field<Int?>("height", "height in pixels; null for audio")
    package let codecs = Field<[String]>("codecs", "codecs as playlists name them (RFC 6381)")
    package let state = Field<CopyState>("state", "state of the copy")

    package init() {}
}
